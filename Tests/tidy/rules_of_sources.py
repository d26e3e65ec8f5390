"""What sources must hold to: sizes, names of types, comments, imports."""

import collections, os, re

from tree import Finding, cells, rule, target

FILE_LINES, FUNCTION_LINES = 400, 60
# Everybody's: the system's C library, and what the standard library has beside itself.
SYSTEM = {"Synchronization"}


# What stands at the top, and nothing else: what a tool or a trial leaves there is committed by accident.
TOP = {
    *(".ci", ".gitignore", ".swift-format", "Benchmarks", "CHANGELOG.md", "LICENSE", "Package.swift", "README.md"),
    *("Sources", "Tests", "audio-fixtures", "config", "docs", "script"),
}


@rule
def top_level(tree):
    """Only what belongs there is committed at the top level."""
    for name in sorted({name.split("/")[0] for name in tree.tracked} - TOP):
        yield Finding("top-level", name, 1, "this does not belong at the top level")


@rule
def file_length(tree):
    """No source file in Swift or C has more than 400 lines."""
    for path, text in sorted(tree.texts.items()):
        count = len(text.splitlines())
        if path.endswith((".swift", ".c", ".cpp", ".h")) and count > FILE_LINES:
            yield Finding("file-length", path, count, f"{count} lines, {FILE_LINES} are the most", path)


@rule
def function_length(tree):
    """No function has more than 60 lines, signature and braces included."""
    for path, declaration in tree.declarations("Sources/", "Tests/", "Benchmarks/"):
        count = declaration.last - declaration.keyword + 1
        is_code = declaration.has_body and not declaration.is_type and declaration.kind != "extension"
        if is_code and count > FUNCTION_LINES:
            yield Finding(
                "function-length",
                path,
                declaration.keyword,
                f"{declaration.qualified} has {count} lines, {FUNCTION_LINES} are the most",
                f"{target(path)}.{declaration.qualified}",
            )


@rule
def one_name(tree):
    """No two targets have a type of one name that is not private."""
    places = collections.defaultdict(dict)
    for path, declaration in tree.declarations("Sources/", "Tests/"):
        if declaration.is_type and not declaration.is_private:
            places[declaration.qualified].setdefault(target(path), (path, declaration.keyword))
    for name, found in sorted(places.items()):
        first, *others = sorted(found)
        for other in others:
            path, line = found[other]
            yield Finding("one-name", path, line, f"{name} is in {first}, too", name)


@rule
def errors_are_told(tree):
    """No error is dropped with `try?`, and none is sworn not to come with `try!`."""
    for path, file in tree.swift.items():
        for word, mark in zip(file.tokens, file.tokens[1:]) if path.startswith("Sources/") else ():
            if word.text == "try" and mark.text in ("?", "!"):
                yield Finding("errors-are-told", path, word.line, f"try{mark.text} in Sources", path)


@rule
def lines_of_texts(tree):
    """A text is parted into lines by `lines`: `split` at line feeds finds none behind a carriage return."""
    for path, text in sorted(tree.texts.items()):
        if path.startswith("Sources/") and path.endswith(".swift") and not path.endswith("/Text/Lines.swift"):
            for number, line in enumerate(text.splitlines(), 1):
                if re.search(r'split\(separator: "\\n"', line):
                    yield Finding("lines-of-texts", path, number, "a text is split at line feeds: use `lines`", path)


@rule
def one_flag(tree):
    """No part of the decider's state stores two Bools: a second is a missing enum."""
    flags = collections.defaultdict(list)
    for path, declaration in tree.declarations("Sources/VoiceCore/"):
        parent = declaration.parent
        is_stored = declaration.kind in ("var", "let") and not declaration.has_body and "static" not in declaration.words
        if is_stored and parent and parent.is_type and re.match(r": Bool( \??)?( =|$)|= (true|false)$", declaration.inherits):
            flags[path, parent.qualified].append((declaration.name, declaration.line))
        if declaration.kind == "case":
            for name in re.findall(r"[(,] (?:(\w+) : )?Bool\b", declaration.inherits):
                flags[path, declaration.qualified].append((name or "a Bool", declaration.line))
    for (path, name), found in sorted(flags.items()):
        if len(found) > 1:
            names = " and ".join(flag for flag, _ in found)
            yield Finding("one-flag", path, found[-1][1], f"{name} stores {names}: say which states there are", name)


# Requirements of protocols that are not the program's own.
REQUIREMENTS = {
    "CustomStringConvertible": {"description"},
    "CustomDebugStringConvertible": {"debugDescription"},
    "Error": {"description", "localizedDescription"},
    "Encodable": {"encode"},
    "Decodable": {"init"},
    "Codable": {"encode", "init"},
    "Hashable": {"hash", "=="},
    "Equatable": {"=="},
    "Comparable": {"<", "=="},
    "Identifiable": {"id"},
    "RawRepresentable": {"rawValue", "init"},
    "CodingKey": {"stringValue", "intValue", "init"},
    "CaseIterable": {"allCases"},
    "Sequence": {"makeIterator", "Iterator", "Element"},
    "AsyncSequence": {"makeAsyncIterator", "AsyncIterator", "Element"},
    "IteratorProtocol": {"next", "Element"},
    "AsyncIteratorProtocol": {"next", "Element"},
    "ExpressibleByStringLiteral": {"init"},
    "ExpressibleByStringInterpolation": {"init"},
    "ExpressibleByIntegerLiteral": {"init"},
    "ExpressibleByFloatLiteral": {"init"},
    "ExpressibleByBooleanLiteral": {"init"},
    "ExpressibleByArrayLiteral": {"init"},
    "ExpressibleByDictionaryLiteral": {"init"},
    "ExpressibleByNilLiteral": {"init"},
    "ExpressibleByArgument": {"init", "defaultValueDescription", "allValueStrings"},
    "ParsableArguments": {"validate", "init"},
    "ParsableCommand": {"run", "validate", "configuration"},
    "AsyncParsableCommand": {"run", "validate", "configuration"},
    "Encoder": {"codingPath", "userInfo", "container", "unkeyedContainer", "singleValueContainer"},
    "OptionSet": {"rawValue", "init"},
}


class Conformances:
    """Which names a type has because a protocol asks for them."""

    def __init__(self, tree):
        self.required = {name: set(names) for name, names in REQUIREMENTS.items()}
        self.of_type = collections.defaultdict(set)
        for _, declaration in tree.declarations("Sources/"):
            if declaration.kind in ("struct", "class", "enum", "actor", "protocol", "extension"):
                inherited = set(re.findall(r"\w+", declaration.inherits.split(" where ")[0]))
                self.of_type[declaration.qualified] |= inherited
            if declaration.parent and declaration.parent.kind == "protocol":
                self.required.setdefault(declaration.parent.name, set()).add(declaration.name)

    def ask_for(self, declaration):
        """Whether a protocol of its type asks for a declaration."""
        if not declaration.parent or declaration.parent.kind == "protocol":
            return False
        seen, open_ = set(), set(self.of_type[declaration.parent.qualified])
        while open_:
            name = open_.pop()
            if name in seen:
                continue
            seen.add(name)
            if declaration.name in self.required.get(name, ()):
                return True
            open_ |= self.of_type.get(name, set())
        # What a protocol has by extension is a default of what it asks for.
        return declaration.parent.kind == "extension" and declaration.name in self.required.get(
            declaration.parent.name, ()
        )


@rule
def documented(tree):
    """What is not private has a documentation comment.

    Without one may be: what a protocol asks for, or a superclass has; a deinit; cases, stored properties and the
    initialiser from these of a type that has a comment itself; what the command line describes by its help.
    """
    conformances = Conformances(tree)
    stored = collections.defaultdict(set)
    for _, declaration in tree.declarations("Sources/"):
        if declaration.kind in ("var", "let") and declaration.parent:
            stored[declaration.parent.qualified].add(declaration.name)
    for path, declaration in tree.declarations("Sources/"):
        if declaration.is_private or declaration.has_comment or declaration.kind in ("extension", "deinit"):
            continue
        if explains_itself(declaration, stored) or conformances.ask_for(declaration):
            continue
        yield Finding(
            "documented",
            path,
            declaration.line,
            f"{declaration.qualified} has no documentation comment",
            os.path.dirname(path),
        )


@rule
def written_input(tree):
    """No child process is given its input as a value: swift-subprocess 1.0 ends the whole process ("FileDescriptor was not
    closed", its issue 367) where the child closes its end before all of it is written."""
    for path, text in sorted(tree.texts.items()):
        for number, line in enumerate(text.splitlines() if path.endswith(".swift") else (), 1):
            if re.search(r"\binput: \.(string|array|data)\b", line):
                yield Finding("written-input", path, number, "input is written by the library; use .inputWriter", path)


def explains_itself(declaration, stored):
    parent = declaration.parent
    if declaration.words & {"override", "@Option", "@Flag", "@Argument", "@OptionGroup"} or any(
        word.startswith(("@Option(", "@Flag(", "@Argument(", "@OptionGroup(")) for word in declaration.words
    ):
        return True
    if not parent or parent.kind == "protocol":
        return False
    if declaration.kind == "case":
        return True
    if declaration.kind in ("var", "let") and not declaration.has_body:
        return True
    if declaration.kind == "init":
        labels = re.findall(r"[(,] (\w+)(?: \w+)? :", declaration.inherits)
        return all(label == "_" or label in stored[parent.qualified] for label in labels)
    return declaration.kind in ("struct", "enum") and "ParsableCommand" in declaration.inherits


@rule
def imports(tree):
    """A target imports what the table in docs/architecture.md grants it; each C library has one importer."""
    granted, lines = granted_imports(tree)
    importers, used = collections.defaultdict(dict), collections.defaultdict(set)
    for path, file in tree.swift.items():
        importer = target(path)
        for module, number in file.imports if path.startswith("Sources/") else ():
            used[importer].add(module)
            importers[module].setdefault(importer, (path, number))
            if importer not in granted:
                yield Finding("imports", path, number, f"{importer} is not in docs/architecture.md", importer)
            elif module not in granted[importer] | SYSTEM:
                text = f"{importer} must not import {module}"
                yield Finding("imports", path, number, text, f"{importer} {module}")
    for importer, modules in sorted(granted.items()):
        for module in sorted(modules - used[importer]):
            text = f"{importer} does not import {module}, but may"
            yield Finding("imports", "docs/architecture.md", lines[importer], text, f"{importer} {module}")
    for module, found in sorted(importers.items()):
        first, *others = sorted(found)
        for other in others if re.match(r"C[A-Z]", module) else ():
            path, number = found[other]
            yield Finding("imports", path, number, f"{module} is imported by {first}, too", module)


def granted_imports(tree):
    """What each target may import, and the line that says so."""
    granted, lines = {}, {}
    for number, line in tree.section("docs/architecture.md", "What may be imported"):
        row = cells(line)
        if len(row) == 2 and row[0].startswith("`"):
            importer = row[0].strip("`")
            granted[importer] = set(re.findall(r"`(\w+)`", row[1]))
            lines[importer] = number
            if "`Voice…`" in row[1]:
                granted[importer] |= {name for name in granted if name.startswith("Voice")}
    return granted, lines
