"""Reads Swift as far as the rules need it: tokens, and the declarations with their places, access and comments."""

import dataclasses, re

TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f]+)|(?P<line>\n)|(?P<comment>//[^\n]*)|(?P<block>/\*)|(?P<regex>\#+/)|(?P<string>\#*"(?:"")?)
    |(?P<number>\d[\w]*(?:\.\d[\w]*)?(?:[eE][+-]?\d+)?)|(?P<word>`\w+`|[\#@$]?\w+)
    |(?P<open>[({\[])|(?P<close>[)}\]])|(?P<mark>[,;:]|\.(?![.<]))|(?P<sign>[-+*/%<>=!&|^~?.]+)|(?P<other>.)""",
    re.VERBOSE,
)
PAIRS = {")": "(", "}": "{", "]": "["}


@dataclasses.dataclass(slots=True)
class Token:
    kind: str  # word, number, string, open, close, mark, sign, regex
    text: str
    line: int  # From 1.
    start: int  # Offset into the source.
    first: bool  # Nothing but space stands before it on its line.

    @property
    def end(self):
        return self.start + len(self.text)


@dataclasses.dataclass(slots=True)
class Comment:
    text: str
    line: int
    last: int
    alone: bool  # Nothing but space stands before it on its line.


class Unreadable(Exception):
    pass


def end_of_string(source, start):
    """Behind the string literal that begins at `start`, with what is interpolated in it."""
    hashes = re.match(r"#*", source[start:]).group()
    at = start + len(hashes)
    # `#"""#` is a quotation mark: the long form goes on in the next line.
    quote = '"""' if re.compile(r'"""[ \t]*\n').match(source, at) else '"'
    at += len(quote)
    escape, closing = "\\" + hashes, quote + hashes
    while at < len(source):
        if source.startswith(closing, at):
            return at + len(closing)
        if source.startswith(escape, at):
            at += len(escape)
            at = end_of_group(source, at) if source[at : at + 1] == "(" else at + 1
        else:
            at += 1
    raise Unreadable("a string without an end")


def end_of_group(source, start):
    """Behind the closing parenthesis of the interpolation that begins at `start`."""
    depth, at = 0, start
    while at < len(source):
        if source[at] == '"':
            at = end_of_string(source, at)
            continue
        depth += (source[at] == "(") - (source[at] == ")")
        at += 1
        if not depth:
            return at
    raise Unreadable("an interpolation without an end")


def end_of_block(source, start):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(source, start):
        depth += 1 if match.group() == "/*" else -1
        if not depth:
            return match.end()
    raise Unreadable("a comment without an end")


def read(source):
    """The tokens and the comments of a source."""
    tokens, comments, at, line, fresh = [], [], 0, 1, True
    while at < len(source):
        match = TOKEN.match(source, at)
        kind, end = match.lastgroup, match.end()
        if kind == "string":
            end = end_of_string(source, at)
        elif kind == "block":
            end = end_of_block(source, at)
        elif kind == "regex":
            end = source.index("/" + match.group()[:-1], match.end()) + len(match.group())
        text = source[at:end]
        if kind == "line":
            fresh = True
        elif kind in ("comment", "block"):
            comments.append(Comment(text, line, line + text.count("\n"), fresh))
        elif kind != "space":
            tokens.append(Token(kind, text, line, at, fresh))
            fresh = False
        line += text.count("\n")
        at = end
    return tokens, comments


# MARK: Declarations

TYPES = {"struct", "class", "enum", "protocol", "actor", "extension"}
FUNCTIONS = {"func", "init", "deinit", "subscript"}
KEYWORDS = TYPES | FUNCTIONS | {"var", "let", "case", "typealias", "associatedtype", "import", "precedencegroup"}
ACCESS = ("private", "fileprivate", "internal", "package", "public", "open")
MODIFIERS = set(ACCESS) | set(
    "static final mutating nonmutating nonisolated isolated indirect override lazy unowned weak required convenience "
    "consuming borrowing dynamic optional prefix postfix infix distributed".split()
)


@dataclasses.dataclass(slots=True)
class Declaration:
    kind: str
    name: str
    parent: "Declaration | None"
    words: frozenset  # Its modifiers and attributes.
    line: int  # Where it begins: with its first attribute or modifier.
    keyword: int  # Where its keyword stands.
    last: int  # Where it ends.
    inherits: str  # What stands between its name and its brace.
    has_body: bool
    has_comment: bool = False
    tokens: range = range(0)  # Its tokens, from the first attribute to the closing brace.

    @property
    def qualified(self):
        return f"{self.parent.qualified}.{self.name}" if self.parent else self.name

    @property
    def is_private(self):
        own = bool(self.words & {"private", "fileprivate"})
        return own or (self.parent is not None and self.parent.is_private)

    @property
    def is_type(self):
        return self.kind in TYPES and self.kind != "extension"


class Scanner:
    """Finds the declarations of a file or a type; what is inside functions is passed over."""

    def __init__(self, source):
        self.tokens, self.comments = read(source)
        self.lines = source.count("\n") + (not source.endswith("\n"))
        self.declarations = []
        self.imports = []  # Modules with their lines.
        self.at = 0
        self.scope(None)
        if self.at < len(self.tokens):
            raise Unreadable(f"line {self.tokens[self.at].line}: a brace too many")
        documented = {comment.last for comment in self.comments if comment.alone and comment.text[:3] in ("///", "/**")}
        for declaration in self.declarations:
            declaration.has_comment = declaration.line - 1 in documented

    @property
    def token(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def skip_group(self):
        """Pass over a bracketed group; true where there was one."""
        if not self.token or self.token.kind != "open":
            return False
        depth = 0
        while self.token:
            depth += (self.token.kind == "open") - (self.token.kind == "close")
            self.at += 1
            if not depth:
                return True
        raise Unreadable("a bracket without its end")

    def scope(self, parent):
        """Everything up to the closing brace, or to the end of the file."""
        while self.token and self.token.text != "}":
            if self.token.text in ("#if", "#elseif", "#else", "#endif"):
                line = self.token.line
                while self.token and self.token.line == line:
                    self.at += 1
            elif not self.declaration(parent) and not self.skip_group():
                self.at += 1

    def starts_declaration(self):
        """Whether a declaration begins here, at the beginning of a line."""
        token = self.token
        return token.first and (
            token.text in KEYWORDS or token.text in MODIFIERS or token.text[0] == "@" or token.text.startswith("#")
        )

    def declaration(self, parent):
        """Read one declaration; false where none begins here."""
        begin, words = self.at, set()
        while self.token and (
            self.token.text[0] == "@"
            or (
                self.token.text in MODIFIERS | {"class"}
                and self.tokens[self.at + 1 : self.at + 2]
                and (self.tokens[self.at + 1].kind == "word" or self.tokens[self.at + 1].text == "(")
                and (self.token.text != "class" or self.tokens[self.at + 1].text in KEYWORDS)
            )
        ):
            word = self.token
            self.at += 1
            if self.token and self.token.text == "(" and self.token.start == word.end:
                inner = self.tokens[self.at + 1].text
                self.skip_group()
                words.add(f"{word.text}({inner})")
            else:
                words.add(word.text)
            while self.token and self.token.text == "." and word.text[0] == "@":
                self.at += 2
        keyword = self.token
        if not keyword or keyword.text not in KEYWORDS:
            self.at = begin
            return False
        self.at += 1
        name = self.name(keyword.text)
        header = self.at
        opened = self.header(keyword.text)
        first = self.tokens[begin]
        inherits = " ".join(token.text for token in self.tokens[header : self.at])
        declaration = Declaration(
            keyword.text, name, parent, frozenset(words), first.line, keyword.line, 0, inherits, opened
        )
        if keyword.text == "import":
            self.imports.append((name.split(".")[0], keyword.line))
        else:
            self.declarations.append(declaration)
        if opened and keyword.text in TYPES:
            self.at += 1
            self.scope(declaration)
            self.at += 1
        elif opened:
            self.skip_group()
        declaration.last = self.tokens[self.at - 1].line
        declaration.tokens = range(begin, self.at)
        return True

    def name(self, keyword):
        if keyword in ("init", "deinit", "subscript"):
            return keyword
        if keyword in ("var", "let") and self.token.text == "(":
            begin = self.at
            self.skip_group()
            return "".join(token.text for token in self.tokens[begin : self.at])
        name = self.token.text.strip("`")
        self.at += 1
        while keyword in ("extension", "import") and self.token and self.token.text == ".":
            name += "." + self.tokens[self.at + 1].text
            self.at += 2
        return name

    def header(self, keyword):
        """Pass over what follows a name; true at the brace of its body."""
        assigned = False
        while self.token and self.token.text != "}":
            if self.token.text == "{" and not (assigned and keyword in ("var", "let")):
                return True
            if self.starts_declaration():
                return False
            if self.token.text == ";":
                return False
            # A stored property's value may have braces, and its observers have theirs behind it.
            if self.token.text == "=":
                assigned = True
            if not self.skip_group():
                self.at += 1
        return False
