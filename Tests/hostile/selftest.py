"""The judge is judged: doubles of the program that lie, each caught by its own verdict, and honest ones that are not."""

import argparse, concurrent.futures, os
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


def case_of(lie):
    def body(trial):
        trial.home.environment["LIE"] = lie
        if lie == "through a link":
            os.mkdir(trial.path("session"))
            plant(trial.path("session/microphone.wav"), "a link to a private file", trial)
        session(trial, script=Script(2, gap=1.0, behind=1.0))
        if lie == "through a link":
            untouched(trial.path("private/victim.txt"))

    return Case("self-test", lie or "honest", body, True, 4 if lie in ("hang", "deaf") else 40, 400)


def main(options):
    liar = os.path.join(HERE, "liar.py")
    options = argparse.Namespace(program=liar, patience=1, sanitized=False, keep=False, jobs=options.jobs)
    loop, wrong = live.Loop(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cases = [case_of(lie) for lie in LIES]
        outcomes = pool.map(lambda case: run(case, options, loop), cases)
        for case, expected, (kind, seconds, _, reason) in zip(cases, LIES.values(), outcomes):
            right = kind == expected
            wrong += not right
            word = "WRONG" if not right else "caught" if expected else "let pass"
            print(f"{word}: {case.name} ({seconds:.1f} s)" + (f": {kind}: {reason}" if kind else ""), flush=True)
    print("every lie was caught" if not wrong else f"{wrong} wrong")
    return 1 if wrong else 0
