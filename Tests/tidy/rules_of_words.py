"""What is said of the program must be so: keys, flags, files that are cited, and names."""

import collections, os, re

from tree import Finding, cells, rule, target

PLAN = "Sources/VoiceConfiguration/Plan.swift"
SETTINGS = "Sources/VoiceConfiguration/Settings.swift"


def settings(tree):
    """The keys of the configuration: (line, property of the plan)."""
    text = tree.texts.get(SETTINGS, "")
    return {
        match[2]: (text.count("\n", 0, match.start()) + 1, match[1])
        for match in re.finditer(r'let (\w+) = Setting(?:<[^>]*>)?\(\s*"(\w+\.\w+)"', text)
    }


def plan_keys(tree):
    return {key: number for key, (number, _) in settings(tree).items()}


@rule
def keys_are_read(tree):
    """Every key of the configuration is read by somebody who acts on it."""
    used = set()
    for path, file in tree.swift.items():
        if path.startswith("Sources/") and target(path) != "VoiceConfiguration":
            at = file.tokens
            used |= {
                third.text
                for first, dot, third, then in zip(at, at[1:], at[2:], [*at[3:], None])
                if dot.text == "." and third.kind == "word" and first.text in ("plan", "$0") and not (then and then.text == "=")
            }
    own = tree.texts.get(PLAN, "")
    for key, (number, name) in settings(tree).items():
        if name not in used and f"self.{name}" not in own:
            yield Finding("keys-are-read", SETTINGS, number, f"nobody reads {key}", key)


def configured_keys(tree):
    """The keys of config/parley.json5 with their lines."""
    group, found = "", {}
    for number, line in enumerate(tree.texts.get("config/parley.json5", "").splitlines(), 1):
        if match := re.match(r"  (\w+): \{", line):
            group = match[1]
        elif match := re.match(r"    (\w+):", line):
            found[f"{group}.{match[1]}"] = number
    return found


def readme_keys(tree):
    found = {}
    for number, line in tree.section("README.md", "Configuration"):
        row = cells(line)
        if len(row) == 2 and row[0].startswith("`"):
            for key in re.findall(r"`(\w+)`", row[1]):
                found[f"{row[0].strip('`')}.{key}"] = number
    return found


@rule
def keys_agree(tree):
    """The program, config/parley.json5 and README know the same keys."""
    lists = {SETTINGS: plan_keys(tree), "config/parley.json5": configured_keys(tree), "README.md": readme_keys(tree)}
    known = set().union(*lists.values())
    for key in sorted(known):
        having = [path for path, keys in lists.items() if key in keys]
        for path in lists:
            if path not in having:
                number = lists[having[0]][key]
                yield Finding("keys-agree", having[0], number, f"{key} is not in {path}", key)


# Flags that every verb has.
EVERYWHERE = {"version", "help"}


def verbs_of(command, name=""):
    """Each verb with its flags, and those of its subcommands."""
    for sub in command.get("subcommands", ()):
        if sub.get("shouldDisplay", True) and sub["commandName"] != "help":
            yield sub["commandName"], set(flags_of(sub))


def flags_of(command):
    for argument in command.get("arguments", ()):
        if argument.get("shouldDisplay", True):
            for name in argument.get("names", ()):
                if name["kind"] == "long":
                    yield name["name"]
    for sub in command.get("subcommands", ()):
        if sub.get("shouldDisplay", True):
            yield from flags_of(sub)


@rule
def help_agrees(tree):
    """README has every verb and flag of --help, and none besides; no document names a flag that is not there."""
    if tree.program is None:
        return
    verbs = dict(verbs_of(tree.program["command"]))
    rows, numbers, prose = collections.defaultdict(set), {}, set()
    for number, line in tree.section("README.md", "Verbs"):
        row = cells(line)
        match = re.match(r"`parley ([a-z]+)", row[0]) if row else None
        if match:
            rows[match[1]] |= set(flags_in(line))
            numbers.setdefault(match[1], number)
        else:
            prose |= set(flags_in(line))
    for verb in sorted(verbs.keys() - rows.keys()):
        yield Finding("help-agrees", "README.md", 1, f"parley {verb} is in --help, but not here", verb)
    for verb, flags in sorted(rows.items()):
        if verb not in verbs:
            yield Finding("help-agrees", "README.md", numbers[verb], f"there is no parley {verb}", verb)
            continue
        for flag in sorted(flags - verbs[verb]):
            yield Finding("help-agrees", "README.md", numbers[verb], f"parley {verb} has no --{flag}", f"{verb} {flag}")
        elsewhere = prose | (rows["run"] & verbs.get("run", set()))
        said = {flag.removeprefix("no-") for flag in flags | elsewhere} | flags | EVERYWHERE
        for flag in sorted(without_no(verbs[verb]) - said):
            text = f"--{flag} of parley {verb} is in --help, but not here"
            yield Finding("help-agrees", "README.md", numbers[verb], text, f"{verb} {flag}")
    known = set().union(*verbs.values()) | EVERYWHERE | flags_of_scripts(tree)
    for path, text in sorted(tree.texts.items()):
        if path == "config/parley.json5" or path.endswith(".md") and path != "CHANGELOG.md":
            for number, line in enumerate(text.splitlines(), 1):
                for flag in flags_of_parley(line):
                    if flag not in known:
                        yield Finding("help-agrees", path, number, f"no verb of parley has --{flag}", flag)


def flags_in(line):
    return re.findall(r"(?<![\w-])--([a-z][a-z-]+)", line)


def flags_of_parley(line):
    """The flags of a line that are the program's: those behind `parley VERB`, or alone in their code."""
    for code in re.findall(r"`([^`]+)`", line):
        if code.startswith(("parley ", "--")):
            yield from flags_in(code)


def flags_of_scripts(tree):
    """What the scripts take, and the build that they start."""
    taken = {"sanitize"}
    for path, text in tree.texts.items():
        if path.startswith(("script/", "Tests/", "Benchmarks/")) and not path.endswith(".swift"):
            taken |= set(re.findall(r"(?:add_argument\(\s*\"|^\s*|\| )--([a-z-]+)(?:\"|[=)])", text, re.MULTILINE))
    return taken


def without_no(flags):
    """A flag that can be turned round is one flag."""
    return {flag for flag in flags if not (flag.startswith("no-") and flag[3:] in flags)}


FOLDERS = ("Sources", "Tests", "Benchmarks", "docs", "script", "config", "audio-fixtures", ".ci")
CITED = re.compile(
    r"(?<![\w/.~$*<{:-])(?:\.\./)*((?:[\w.+-]+/)*[\w+-]+\.(?:swift|md|py|json5|cpp)\b(?![*{<(])|(?:"
    + "|".join(map(re.escape, FOLDERS))
    + r")/[\w.+-]+(?:/[\w.+-]+)*)"
)


@rule
def cited_files(tree):
    """A file that a comment or a document names is there."""
    for path, number, text in prose_of(tree):
        # What is quoted is an example: somebody's words, or a file of theirs.
        for match in CITED.finditer(re.sub(r'"[^"]*"|“[^”]*”', "", text)):
            cited = match[1].rstrip(".")
            if not is_there(tree, path, cited):
                yield Finding("cited-files", path, number, f"{cited} is not there", cited)


def prose_of(tree):
    """Comments of sources, and the documents, by line."""
    for path, file in tree.swift.items():
        for comment in file.comments:
            yield path, comment.line, comment.text
    for path, text in sorted(tree.texts.items()):
        if path.endswith((".swift", ".modulemap")) and path in tree.swift or path.startswith("Tests/tidy/"):
            continue
        if path.endswith(".md") and path != "CHANGELOG.md":
            for number, line in enumerate(text.splitlines(), 1):
                yield path, number, line
        elif not path.endswith(".md"):
            mark = r"^\s*(?:#|//)|\s(?:#|//)\s" if not path.endswith((".c", ".cpp", ".h")) else r"//"
            for number, line in enumerate(text.splitlines(), 1):
                if match := re.search(mark, line):
                    yield path, number, line[match.start() :]


def is_there(tree, path, cited):
    beside = os.path.normpath(os.path.join(os.path.dirname(path), cited))
    known = tree.names | tree.folders
    return cited in known or beside in known or any(name.endswith("/" + cited) for name in known)


# Retired names, by word of an identifier, and what the field calls them.
RETIRED = {
    "deed": "user action",
    "gate": "local VAD",
    "faltered": "paused",
    "handOn": "dispatch",
    "handInto": "steer",
    "unansweredSound": "unacknowledged audio",
    "linkAttempts": "reconnect backoff",
    "provedAlive": "reset",
    "startAfresh": "newSession",
    "wentOn": "false interruption",
    "postHere": "post",
    "postInline": "post",
    "bell": "wake pipe",
    "silenceBell": "drain",
    "beat": "tick",
    "outlet": "sink",
    "surroundings": "environment",
    "mistake": "error",
    "farewell": "terminate",
    "hangUp": "terminate",
    "usual": "default",
    "objection": "validation error",
    "changedUnderTheHand": "currentItemJustChanged",
    "askDesk": "pending requests",
    "askPaper": "printer",
    "harmless": "sanitized",
    "isTelling": "isDescriptive",
    "losePatience": "watchdog",
}


def words_of(identifier):
    """The words of an identifier, lowered: `makeWakeBell` is make, wake, bell."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)]


# Retired as whole names only: an act may well be harmless, and a harmless text is sanitized.
WHOLE = {"harmless"}


def retired_in(identifier):
    words = words_of(identifier)
    for name in RETIRED:
        if name in WHOLE:
            if identifier == name:
                yield name
            continue
        parts = words_of(name)
        if any(plain(words[at : at + len(parts)]) == parts for at in range(len(words) - len(parts) + 1)):
            yield name


def plain(words):
    """A plural is the same word."""
    return [word[:-1] if word.endswith("s") and word[:-1] in RETIRED else word for word in words]


# What comments said for dispatching, and for an environment.
RETIRED_PHRASE = re.compile(r"\b(hand(s|ed|ing)? on|surroundings|(its|their|the provider's) usual one)\b", re.IGNORECASE)


@rule
def retired_phrases(tree):
    """No comment in Sources has a phrase that was retired."""
    for path, file in tree.swift.items():
        for comment in file.comments if path.startswith("Sources/") else []:
            for found in RETIRED_PHRASE.finditer(comment.text):
                yield Finding("retired-phrases", path, comment.line, f"“{found.group()}” was retired", found.group())


@rule
def retired_names(tree):
    """No identifier and no file in Sources has a name that was retired."""
    known = {}
    for path, file in tree.swift.items():
        if not path.startswith("Sources/"):
            continue
        stem = os.path.basename(path).removesuffix(".swift")
        for text, line in [(stem, 1)] + [(token.text, token.line) for token in file.tokens if token.kind == "word"]:
            for name in known.setdefault(text, tuple(retired_in(text))):
                yield Finding(
                    "retired-names", path, line, f"{text}: {name} is {RETIRED[name]} in the field's terms", name
                )
