"""Agents that die, hang, flood, repeat themselves and ask evil things, at every line; and servers that answer so."""

import signal
from case import ACP, User, blame, case, ended_after, leaves_nobody, scripted, session
from judge import Evidence, Verdict
from speech import Script

LANGUAGES = {"acp": (ACP, 3), "claude": (scripted("claude"), 2), "codex": (scripted("codex"), 4)}
EVIL = "\\u001b[2J\\u001b]0;x\\u0007\\u202e rm -rf / \\u0d4e<script>"


def asked(trial, agent, log, text="hello", *, codes=(0, 69, 75), limit=40, during=None):
    """`parley ask`, judged: what the agent got, the exit code, and one line where it failed."""
    child = trial.start("ask", text, "--agent", agent, "--working-folder", trial.home.work)
    code = trial.finish(child, limit, during or (lambda child: None))
    evidence = Evidence(
        None,
        agent_log=log,
        output=child.printed(),
        code=code,
        seconds=child.lasted,
        typed=[text],
        ended_by_us=bool(during),
    )
    blame(trial, evidence.verdicts())
    leaves_nobody(trial)
    if not during and code not in codes:
        raise Verdict("harm", f"exit code {code}: {evidence.output[-300:]}")
    if "\x1b" in evidence.output:
        raise Verdict("harm", "escape codes of the agent were printed")
    return evidence


def lines_of(language):
    """Where harm can be done: both ways, each line of the opening and of a turn."""
    count = LANGUAGES[language][1]
    return [("in", number) for number in range(1, count + 1)] + [("out", number) for number in range(1, count + 3)]


DEEDS = (
    "exit 0,exit 3,kill,garbage,drop,half,half and on,twice,close output,close input,nulls,deep,crumbs,late,flood,hang"
).split(",")
WAITS = ("drop", "hang", "close output", "half and on", "close input")

for language, (command, _) in LANGUAGES.items():
    for place, (way, line) in enumerate(lines_of(language)):
        for number, deed in enumerate(DEEDS):
            if way == "in" and deed in ("half", "half and on", "twice", "crumbs", "late") or (place + number) % 2:
                continue
            name = f"{language}, {deed} at line {line} {'to' if way == 'in' else 'from'} the agent"
            harm = {"way": way, "line": line, "deed": deed}

            @case(
                "agents asked",
                name,
                limit=60,
                quick=(place * 3 + number) % 10 == 0 and deed not in WAITS,
                megabytes=700,
            )
            def _(trial, harm=harm, command=command, language=language, deed=deed):
                agent, log = trial.agent(harm, command, language)
                impatient = ended_after(8)
                asked(trial, agent, log, during=impatient if deed in WAITS else None)

            if (place + number) % 8 == 0:

                @case("agents", name, limit=60, quick=(place + number) % 24 == 0, megabytes=700)
                def _(trial, harm=harm, command=command, language=language):
                    script = Script(2, behind=1.5)
                    session(
                        trial, script=script, harm=harm, command=command, kind=language, user=User(script, quits=18)
                    )


# What scripted agents do by themselves, and with harm to what they do.
WORDS = {
    "text": {},
    "tool": {},
    "permission": {},
    "question": {},
    "fail": {},
    "die": {},
    "late": {},
    "garbage": {},
    "flood 5000": {},
    "huge 6": {},
    "huge 100": {"megabytes": 900},
}
for language, (command, _) in LANGUAGES.items():
    for word, more in WORDS.items():
        if language == "acp" and word in ("question", "fail"):
            continue

        @case(
            "agents' turns",
            f"{language}, {word}",
            limit=90,
            quick=language == "claude" and word in ("permission", "die", "late", "flood 5000"),
            megabytes=more.get("megabytes", 500),
        )
        def _(trial, word=word, command=command, language=language):
            script = Script(2, behind=3, texts=(word, "well done"))
            session(
                trial,
                script=script,
                command=command,
                kind=language,
                user=User(script, quits=30, lines=[("held", "choose 1", 3.0)]),
            )

    for deed, having in (
        ("twice", "ermission"),
        ("twice", "result"),
        ("twice", "turn/completed"),
        ("twice", "stopReason"),
        ("late", "stopReason"),
        ("drop", "stopReason"),
    ):

        @case(
            "agents' turns",
            f"{language}, permission, {deed}: {having}",
            limit=60,
            quick=deed == "twice" and having == "ermission" and language == "claude",
        )
        def _(trial, deed=deed, having=having, command=command, language=language):
            script = Script(1, behind=3, texts=("permission",))
            session(
                trial,
                script=script,
                harm={"way": "out", "having": having, "deed": deed},
                command=command,
                kind=language,
                user=User(script, quits=15),
            )

    for words in (
        [["make test", EVIL]],
        [["make test", "x" * 2_000_000]],
        [["make test", "a\\nb\\r\\n" * 500]],
        [["Bash", EVIL], ["run", EVIL]],
        [["t1", EVIL]],
        [["t1", ""]],
        [['"yes"', '"no"']],
    ):

        @case(
            "agents' turns",
            f"{language}, a permission with {words[0][0]} as {words[0][1][:12]}",
            limit=60,
            quick=words[0] == ["make test", EVIL] and language != "claude",
        )
        def _(trial, words=words, command=command, language=language):
            script = Script(1, behind=3, texts=("permission",))
            evidence = session(
                trial,
                script=script,
                harm={"way": "out", "line": 1, "on": True, "deed": "replace", "words": words},
                command=command,
                kind=language,
                user=User(script, quits=15),
            )
            if "\x1b" in evidence.output:
                raise Verdict("harm", "escape codes of the agent were printed")

    for words, name in (
        (
            [["0.5", "1e999"], [": 10,", ": 9223372036854775807,"], [": 2}", ": 9223372036854775807}"]],
            "a cost of 1e999, tokens of 2⁶³−1",
        ),
        ([["0.5", "-1e308"], [": 10,", ": -9223372036854775808,"]], "a cost of −1e308, tokens of −2⁶³"),
        ([[": 10,", ": 1e400,"], [": 2}", ': "x"}']], "tokens of 1e400"),
        ([['"line": 2', '"line": -9223372036854775808']], "a line of −2⁶³"),
        ([["You said", "x" * 300_000]], "300,000 letters without an end"),
        ([["You said", "word " * 100_000]], "100,000 words without an end"),
        ([["You said", EVIL * 50]], "escape codes"),
        ([["You said", "\\ud800\\udfff\\u0000"]], "half characters"),
    ):

        @case(
            "agents' words",
            f"{language}, {name}",
            limit=60,
            quick=language == "claude" and ("1e999" in name or "300,000" in name),
            megabytes=600,
        )
        def _(trial, words=words, command=command, language=language):
            script = Script(2, behind=2)
            evidence = session(
                trial,
                script=script,
                harm={"way": "out", "line": 1, "on": True, "deed": "replace", "words": words},
                command=command,
                kind=language,
                user=User(script, quits=25),
            )
            if "\x1b" in evidence.output:
                raise Verdict("harm", "escape codes of the agent were printed")

    @case("agents' words", f"{language}, a line of 100 MB", limit=90, quick=False, megabytes=700)
    def _(trial, command=command, language=language):
        script = Script(2, behind=3)
        session(
            trial,
            script=script,
            harm={"way": "out", "line": 3, "deed": "long line"},
            command=command,
            kind=language,
            user=User(script, quits=40),
        )

    @case(
        "agents' words",
        f"{language}, 20,000 pieces without a sentence's end, and SIGTERM",
        limit=60,
        quick=language == "acp",
        megabytes=600,
    )
    def _(trial, command=command, language=language):
        script = Script(1, behind=8, texts=("flood 20000",))
        state = {}

        def during(child):
            if "term" not in state and any("runStarted" in notice for _, notice in child.notices):
                state["term"] = child.seconds + 2
            if state.get("term", 1e9) < child.seconds:
                state["term"], state["at"] = 1e10, child.seconds
                child.signal(signal.SIGTERM)

        evidence = session(trial, script=script, command=command, kind=language, during=during, judged=False)
        if "at" in state and evidence.seconds - state["at"] > 8 * trial.options.patience:
            raise Verdict("hang", f"SIGTERM took {evidence.seconds - state['at']:.1f} s")
        blame(trial, [pair for pair in evidence.verdicts() if pair[0] in ("crash", "doubled", "truncated")])

    for text in ("slow", "deaf" if language == "acp" else "slow"):

        @case(
            "agents' turns",
            f"{language}, {text}, halted, deaf to SIGTERM",
            limit=75,
            quick=text == "slow" and language == "acp",
        )
        def _(trial, text=text, command=command, language=language):
            script = Script(1, behind=3, texts=(text,))
            session(
                trial,
                script=script,
                harm={"way": "term", "deed": "term"},
                command=command,
                kind=language,
                user=User(script, quits=30, lines=[("agentText", "halt", 1.0), ("halting", "halt", 7.0)]),
            )


for name, deed in (
    ("exits at once", "exit 3"),
    ("exits at once with 0", "exit 0"),
    ("is killed at once", "kill"),
    ("hangs", "hang"),
    ("closes its output", "close output"),
    ("floods", "flood"),
    ("prints garbage", "garbage"),
    ("prints 100 MB", "long line"),
):

    @case("agents", f"one that {name} at its start", limit=75, quick=deed.startswith("exit"), megabytes=700)
    def _(trial, deed=deed):
        script = Script(1, behind=3)
        session(trial, script=script, harm={"way": "start", "deed": deed}, user=User(script, quits=18))


for name, agent in (
    ("a folder", "acp:/tmp"),
    ("nothing", "acp:/nowhere/agent"),
    ("no program", "acp:/etc/passwd"),
    ("no command", "acp:"),
    ("an unknown kind", "nobody:x"),
    ("a name of 100 kB", "acp:" + "x" * 100_000),
    ("escape codes", "acp:\x1b[2J"),
    ("nothing there, for Claude", "claude:/nowhere/claude"),
    ("nothing there, for Codex", "codex:/nowhere/codex"),
    ("a closed port", "chat:http://127.0.0.1:9/v1"),
    ("a bad address", "chat:http://[::1/v1"),
):

    @case("agents asked", f"instead of an agent, {name}", limit=40, quick=len(agent) < 1000)
    def _(trial, agent=agent):
        trial.command("ask", "hello", "--agent", agent, codes=(64, 65, 69, 74, 78))
