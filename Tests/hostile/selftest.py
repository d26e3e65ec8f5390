"""The judge is judged: doubles of the program that lie, each caught by its own verdict, and honest ones that are not."""

import argparse, os
import live
from case import Case, HERE, run, session
from planted import plant, untouched
from speech import Script

# What the double does, and the verdict that it must get.
LIES = {
    "": None,
    "held": None,
    "told": None,
    "said why": None,
    "lost": "lost",
    "doubled": "doubled",
    "truncated": "truncated",
    "invented": "truncated",
    "silent": "silent",
    "segmentation fault": "crash",
    "fatal error": "crash",
    "sanitizer": "crash",
    "hang": "hang",
    "deaf": "hang",
    "storm": "storm",
    "heavy": "heavy",
    "through a link": "harm",
}


def main(options):
    liar = os.path.join(HERE, "liar.py")
    options = argparse.Namespace(program=liar, patience=1, sanitized=False, keep=bool(os.environ.get("KEEP")))
    os.chmod(liar, 0o755)
    loop, wrong = live.Loop(), 0
    for lie, expected in LIES.items():

        def body(trial, lie=lie):
            trial.home.environment["LIE"] = lie
            if lie == "through a link":
                os.mkdir(trial.path("session"))
                plant(trial.path("session/microphone.wav"), "a link to a private file", trial)
            session(trial, script=Script(2, gap=1.0, behind=1.0))
            if lie == "through a link":
                untouched(trial.path("private/victim.txt"))

        case = Case("self-test", lie or "honest", body, True, 4 if lie in ("hang", "deaf") else 40, 400)
        kind, seconds, peak, reason = run(case, options, loop)
        right = kind == expected
        wrong += not right
        print(
            f"{'caught' if right and expected else 'let pass' if right else 'WRONG'}: {case.name} ({seconds:.1f} s)"
            + (f": {kind}: {reason}" if kind else ""),
            flush=True,
        )
    print("every lie was caught" if not wrong else f"{wrong} wrong")
    return 1 if wrong else 0
