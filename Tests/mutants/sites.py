"""Where a Swift source can be changed, and how: every change is compiled in, and a number chooses one when the tests run."""

import dataclasses, itertools, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tidy"))
import swift  # noqa: E402
from switch import OPERATORS, sign  # noqa: E402

KINDS = {"<": "boundary", "<=": "boundary", ">": "boundary", ">=": "boundary"}
# What begins a statement that is not removed: it declares, decides or leaves.
KEEP = set(
    "return let var if guard for while switch case default defer do catch else throw func struct enum class import break "
    "continue fallthrough repeat where in is as protocol extension typealias init deinit subscript init() super".split()
)


@dataclasses.dataclass
class Site:
    """One possible change: text to be put in at offsets, with {} for the number."""

    path: str
    line: int
    last: int
    kind: str
    before: str
    after: str
    edits: list  # (offset, end, text): what stands between them is replaced.
    function: str
    lines: range  # Of its function.
    operator: str = ""

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.before} → {self.after}"


# Conditions of compilation that hold on this system, and those that do not. Others leave both ways in.
LINUX = {"os(Linux)", "canImport(Glibc)", "!os(macOS)", "!canImport(Darwin)"}
OTHER = {"os(macOS)", "canImport(Darwin)", "!os(Linux)", "!canImport(Glibc)"}


def foreign(source):
    """The lines that are compiled only on other systems, where no test of this one runs them."""
    held, others = (LINUX, OTHER) if sys.platform == "linux" else (OTHER, LINUX)
    lines, ways = set(), []
    for number, line in enumerate(source.splitlines(), start=1):
        word, _, condition = line.strip().partition(" ")
        if word == "#if":
            ways.append("kept" if condition in held else "left out" if condition in others else "unknown")
        elif word == "#else":
            ways[-1] = {"kept": "left out", "left out": "kept"}.get(ways[-1], "unknown")
        elif word == "#elseif":
            ways[-1] = "left out" if ways[-1] == "kept" else "unknown"
        elif word == "#endif":
            ways.pop()
        elif "left out" in ways:
            lines.add(number)
    return lines


def sites(path, source):
    """Every change that is known for a source, in its order."""
    file = swift.Scanner(source)
    elsewhere = foreign(source)
    found = []
    for declaration in file.declarations:
        is_code = declaration.has_body and not declaration.is_type and declaration.kind != "extension"
        if is_code and "@inlinable" not in declaration.words:
            found += Body(path, source, file.tokens, declaration).sites()
    return [site for site in found if site.line not in elsewhere]


class Body:
    def __init__(self, path, source, tokens, declaration):
        self.path, self.source, self.tokens = path, source, tokens
        self.declaration = declaration
        first = next(at for at in declaration.tokens if self.opens_body(at))
        self.range = range(first + 1, declaration.tokens[-1])
        self.inside = self.brackets()
        self.patterns = self.find_patterns()

    def opens_body(self, at):
        """The last brace that closes where the declaration does opens its body."""
        if self.tokens[at].text != "{":
            return False
        return self.closing(at) == self.declaration.tokens[-1]

    def closing(self, at):
        depth = 0
        for place in range(at, self.declaration.tokens[-1] + 1):
            depth += (self.tokens[place].kind == "open") - (self.tokens[place].kind == "close")
            if not depth:
                return place
        return self.declaration.tokens[-1]

    def brackets(self):
        """The innermost bracket around each token."""
        stack, inside = ["{"], {}
        for at in self.range:
            token = self.tokens[at]
            if token.kind == "close" and len(stack) > 1:
                stack.pop()
            inside[at] = stack[-1]
            if token.kind == "open":
                stack.append(token.text)
        return inside

    def find_patterns(self):
        """The tokens of patterns, in which nothing can be changed."""
        patterns, at = set(), self.range.start
        while at < self.range.stop:
            if self.tokens[at].text == "case":
                end = "=" if not self.tokens[at].first else ":"
                depth = 0
                while at < self.range.stop and (depth or self.tokens[at].text != end):
                    if self.tokens[at].text == "where":
                        break
                    depth += (self.tokens[at].kind == "open") - (self.tokens[at].kind == "close")
                    patterns.add(at)
                    at += 1
            at += 1
        return patterns

    def site(self, kind, first, last, before, after, edits, operator=""):
        tokens = self.tokens
        declaration = self.declaration
        return Site(
            self.path,
            tokens[first].line,
            tokens[last].line,
            kind,
            shortened(before),
            shortened(after),
            edits,
            declaration.qualified,
            range(declaration.line, declaration.last + 1),
            operator,
        )

    def sites(self):
        found = []
        for at in self.range:
            if at not in self.patterns:
                found += itertools.chain(self.operator(at), self.literal(at), self.condition(at), self.statement(at))
        return found

    def operator(self, at):
        token = self.tokens[at]
        if token.kind != "sign" or token.text not in OPERATORS:
            return
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        # Between blanks it is a binary one, and no bracket of types.
        if not (before.end < token.start and token.end < after.start):
            return
        # Of texts and lists too there are sums: those of numbers are told by a number.
        if token.text in "+-" and "number" not in (before.kind, after.kind):
            return
        new = OPERATORS[token.text][0]
        kind = KINDS.get(token.text, "condition" if token.text in ("==", "!=", "&&", "||") else "arithmetic")
        around = self.source[before.start : after.end]
        edits = [(token.start, token.end, "{operator}")]
        changed = f"{before.text} {new} {after.text}"
        yield self.site(kind, at, at, around, changed, edits, token.text)

    def literal(self, at):
        token, before = self.tokens[at], self.tokens[at - 1]
        if token.kind == "number" and token.text.isdigit() and before.text != ".":
            new = str(int(token.text) + 1)
        elif token.text in ("true", "false") and before.text not in ("while", "."):
            new = "false" if token.text == "true" else "true"
        else:
            return
        edits = [(token.start, token.start, "Mutant.swap({number}, "), (token.end, token.end, f", {new})")]
        yield self.site("literal", at, at, self.around(at), self.around(at, new), edits)

    def around(self, at, new=None):
        """The line of a token."""
        token = self.tokens[at]
        start = self.source.rfind("\n", 0, token.start) + 1
        end = self.source.find("\n", token.end)
        return self.source[start : token.start] + (new or token.text) + self.source[token.end : end]

    def condition(self, at):
        """Each clause behind `if`, `guard` or `while` that binds nothing."""
        if self.tokens[at].text not in ("if", "guard", "while"):
            return
        clause = at + 1
        depth, place = 0, at + 1
        while place < self.range.stop:
            token = self.tokens[place]
            ends = not depth and (
                token.text in (",", "else") or (token.text == "{" and not self.is_trailing_closure(place))
            )
            if ends:
                if place > clause and self.tokens[clause].text not in ("let", "var", "case", "#available", "true"):
                    start, end = self.tokens[clause].start, self.tokens[place - 1].end
                    text = self.source[start:end]
                    edits = [(start, start, "Mutant.flip({number}, "), (end, end, ")")]
                    yield self.site("condition", clause, place - 1, text, f"!({text})", edits)
                if token.text != ",":
                    return
                clause = place + 1
            depth += (token.kind == "open") - (token.kind == "close")
            place += 1

    def is_trailing_closure(self, at):
        """A brace that closes before another opens the body: swift-format puts closures of conditions in parentheses."""
        return False

    def statement(self, at):
        token, before = self.tokens[at], self.tokens[at - 1]
        if not (token.first and token.kind == "word" and self.inside[at] == "{") or self.declaration.kind == "init":
            return
        if token.text in KEEP or token.text[0] in "#@" or before.text in (",", "=", "(", "[", "&&", "||", "?", "->"):
            return
        end, acts = at, False
        depth = 0
        for place in range(at, self.range.stop):
            token = self.tokens[place]
            if place > at and not depth and token.first and not self.goes_on(place):
                break
            if not depth and token.kind == "close":
                break
            depth += (token.kind == "open") - (token.kind == "close")
            acts |= not depth and (token.text in ("=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=") or token.text == ")")
            end = place
        if not acts or self.tokens[at + 1].text == ":" or not self.is_whole(at, end):
            return
        start, stop = self.tokens[at].start, self.tokens[end].end
        edits = [(start, start, "if Mutant.keeps({number}) {{ "), (stop, stop, " }}")]
        yield self.site("removed", at, end, self.source[start:stop], "", edits)

    def goes_on(self, at):
        token = self.tokens[at]
        return token.kind in ("sign", "mark", "close") or token.text in ("else", "{", "where", "as", "is")

    def is_whole(self, at, end):
        """Not the one expression of a closure or function, which is its value."""
        opens, closes = self.tokens[at - 1].text in ("{", "in"), self.tokens[end + 1].text == "}"
        return not (opens and closes) or "=" in [token.text for token in self.tokens[at : end + 1]]


def shortened(text):
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:89] + "…"


def changed(source, numbered):
    """The source with the changes of these (number, site) in it; its lines stay what they are."""
    pieces = []
    for number, site in numbered:
        for order, (start, end, text) in enumerate(site.edits):
            text = text.format(number=number, operator=sign(number))
            # At one offset what ends comes before what begins, and the outer begins before the inner.
            span = site.edits[-1][1] - site.edits[0][0]
            pieces.append((start, 0 if order else 1, span if order else -span, end, text))
    out, at = [], 0
    for start, _, _, end, text in sorted(pieces):
        out += [source[at:start], text]
        at = end
    return "".join(out) + source[at:]
