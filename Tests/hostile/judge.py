"""What became of what was said: by the server's ears, the agent's record, the ledger, and what the user was told."""

import json, os, re

KINDS = ("lost", "doubled", "truncated", "silent", "crash", "hang", "storm", "heavy", "harm")
# What a crash leaves in the output, whoever writes it: Swift's runtime, a C library, a sanitizer.
CRASHED = re.compile(
    r"Fatal error|Crash: |\*\*\* Program crashed|AddressSanitizer|LeakSanitizer|runtime error:|double free|corrupt"
    r"|stack smashing|Backtrace|Illegal instruction|Segmentation fault|precondition failed",
    re.I,
)
# Notices that tell what became of speech.
TOLD = {"lapsed", "notTaken", "quitAsked", "duplicateIgnored", "draftDropped"}
ABOUT_SPEECH = re.compile(
    r"\b(sa(y|id)|spe(ech|ak\w*)|spoke\w*|heard?|hear|sound|words?|utterances?|instructions?|understood|unanswered)\b",
    re.I,
)
NOT_ABOUT_WORDS = re.compile(r"^Not spoken:")


class Verdict(Exception):
    """What should hold does not."""

    def __init__(self, kind, text):
        super().__init__(text)
        assert kind in KINDS, kind
        self.kind, self.text = kind, text


def read_lines(path):
    """The JSON objects of a file, as far as there are any."""
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def instructions_sent(line):
    """The instructions in one line, or one body, of what an agent was sent; all languages."""
    found = []
    parameters = line.get("params") if isinstance(line.get("params"), dict) else {}
    if line.get("method") == "session/prompt":
        found.append("".join(block.get("text", "") for block in parameters.get("prompt", [])))
    elif line.get("method") in ("turn/start", "turn/steer"):
        found.append(parameters["input"][0]["text"])
    elif line.get("type") == "user" and isinstance(line.get("message"), dict):
        content = line["message"].get("content")
        found.append(content if isinstance(content, str) else "".join(part.get("text", "") for part in content))
    elif "body" in line and isinstance(line["body"], dict):
        body = line["body"]
        if "instruction" in body:
            found.append(body["instruction"])
        elif body.get("messages"):
            last = body["messages"][-1]
            content = last.get("content", last.get("parts"))
            found.append(
                content
                if isinstance(content, str)
                else "".join(part.get("text", "") for part in content or [] if isinstance(part, dict))
            )
    return [own_words(text) for text in found]


def own_words(text):
    """An instruction without the program's notes: how it was written down, and what was heard."""
    notes = ("(", "This instruction was spoken")
    return "\n\n".join(part for part in text.split("\n\n") if part and not part.startswith(notes)).strip()


class Evidence:
    """All that is known of a session when it is over."""

    def __init__(
        self,
        script,
        *,
        server=None,
        agent_log=None,
        folder=None,
        output="",
        notices=(),
        code=0,
        seconds=0.0,
        ended_by_us=False,
        typed=(),
        started=0.0,
    ):
        self.script, self.server, self.output, self.code, self.seconds = script, server, output, code, seconds
        self.notices, self.ended_by_us, self.typed, self.started = list(notices), ended_by_us, list(typed), started
        self.ledger = read_lines(os.path.join(folder, "ledger.jsonl")) if folder else []
        self.sent = [text for line in read_lines(agent_log) for text in instructions_sent(line)] if agent_log else None
        if self.sent is None:
            # An agent inside the program has no record of its own.
            texts = self.texts()
            self.sent = [
                texts.get(entry["dispatched"]["instruction"], "") for entry in self.ledger if "dispatched" in entry
            ]

    def texts(self):
        """The last text of each instruction of the ledger."""
        found = {}
        for entry in self.ledger:
            for stage, value in entry.items():
                if isinstance(value.get("instruction"), dict):
                    found[value["instruction"]["id"]] = value["instruction"]["text"]
                elif stage == "amended":
                    found[value["instruction"]] = value["text"]
        return found

    def ended_well(self):
        """Those that the ledger knows to have been held, and decided or lapsed: the user saw them."""
        seen = {"held", "rejected", "lapsed", "settled", "withdrawn", "entered"}
        return {
            value["instruction"]["id"] if isinstance(value["instruction"], dict) else value["instruction"]
            for entry in self.ledger
            for stage, value in entry.items()
            if stage in seen and "instruction" in value
        }

    def is_told(self, since):
        """Whether a line tells, from that moment on, that something that was said came to nothing."""
        for moment, notice in self.notices:
            name, value = next(iter(notice.items()))
            if moment < since:
                continue
            if name in TOLD:
                return True
            text = str(value.get("text", "")) if isinstance(value, dict) else ""
            if name in ("warning", "error") and ABOUT_SPEECH.search(text) and not NOT_ABOUT_WORDS.match(text):
                return True
        return False

    def error_lines(self):
        """Lines that say why a program failed."""
        errors = [
            str(value.get("text")) for _, notice in self.notices for name, value in notice.items() if name == "error"
        ]
        return errors + [line for line in self.output.split("\n") if re.match(r"(parley|Error): ?\S", line)]

    def verdicts(self, *, may_invent=False, said=None):
        """Everything that is wrong, as pairs of a kind and a text.

        - may_invent: whether the model is a liar, whose instructions nobody said.
        - said: how many of the utterances count; all unless the session could not live so long.
        """
        found = []
        if CRASHED.search(self.output) or self.code is not None and self.code < 0 and not self.ended_by_us:
            match = CRASHED.search(self.output)
            words = self.output[match.start() : match.start() + 200] if match else f"signal {-self.code}"
            found.append(("crash", " ".join(words.split())))
        if self.code not in (0, None) and not self.ended_by_us and not self.error_lines():
            found.append(("silent", f"exit code {self.code} without a line that says why"))
        covered = {}
        for text in self.sent:
            if text in self.typed:
                covered[text] = covered.get(text, 0) + 1
                continue
            parts = self.script.taken_apart(text) if self.script else None
            if parts is None:
                if not may_invent:
                    found.append(("truncated", f"the agent was sent “{text[:80]}”, which nobody said so"))
                continue
            for index in parts:
                covered[index] = covered.get(index, 0) + 1
                if self.server and not self.server.is_heard_whole(index):
                    found.append(
                        ("truncated", f"“{self.script.texts[index]}” was sent, and no connection heard all of it")
                    )
        for key, times in covered.items():
            if times > 1:
                name = key if isinstance(key, str) else self.script.texts[key]
                found.append(("doubled", f"the agent was sent “{name}” {times} times"))
        if not self.ended_by_us:
            found += self.losses(covered, said)
        return found

    def losses(self, covered, said):
        found = []
        settled = self.ended_well()
        known = [
            index
            for number, text in self.texts().items()
            if number in settled and self.script
            for index in self.script.taken_apart(text) or []
        ]
        known += [text for number, text in self.texts().items() if number in settled]
        for index, text in enumerate(self.script.texts if self.script else []):
            if said is not None and index >= said or index in covered or index in known:
                continue
            # What was not said to its end before the session was over cannot be lost.
            if self.seconds < self.started + self.script.ends[index]:
                continue
            if (
                self.is_told(self.started + self.script.starts[index])
                or self.code not in (0, None)
                and self.error_lines()
            ):
                continue
            found.append(("lost", f"“{text}” was neither sent nor held, and nobody was told"))
            if self.code == 0:
                found.append(("silent", f"exit code 0 although “{text}” was lost"))
        for text in self.typed:
            if (
                text not in covered
                and text not in known
                and not self.is_told(0)
                and not (self.code and self.error_lines())
            ):
                found.append(("lost", f"“{text}” was typed, neither sent nor held, and nobody was told"))
        return found
