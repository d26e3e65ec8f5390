"""What is compiled in beside the changes of a target: which of them is on, which are reached, and an operator for each
that needs one."""

# What an operator becomes, and the precedence group it needs.
OPERATORS = {
    "<": ("<=", "ComparisonPrecedence"),
    "<=": ("<", "ComparisonPrecedence"),
    ">": (">=", "ComparisonPrecedence"),
    ">=": (">", "ComparisonPrecedence"),
    "==": ("!=", "ComparisonPrecedence"),
    "!=": ("==", "ComparisonPrecedence"),
    "&&": ("||", "LogicalConjunctionPrecedence"),
    "||": ("&&", "LogicalDisjunctionPrecedence"),
    "+": ("-", "AdditionPrecedence"),
    "-": ("+", "AdditionPrecedence"),
}
SWITCH = """
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum Mutant {
  private static let active = variable("MUTANT").flatMap { Int32($0) } ?? -1
  /// Where the numbers of the changes that are reached go, or -1.
  private static let list = variable("MUTANTS_REACHED").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600) } ?? -1
  /// By number, whether it stands there. Two threads at once list it twice.
  private nonisolated(unsafe) static let listed = {
    let listed = UnsafeMutablePointer<Bool>.allocate(capacity: %(count)d)
    listed.initialize(repeating: false, count: %(count)d)
    return listed
  }()

  /// Agents get an environment of their own, and so does the program that stands between them and the tests.
  private static func variable(_ name: String) -> String? {
    if let value = getenv(name) { return String(cString: value) }
    let descriptor = open("/proc/\\(getppid())/environ", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = read(descriptor, &bytes, bytes.count)
    let variables = bytes.prefix(max(0, count)).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return variables.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  static func isOn(_ number: Int32) -> Bool {
    if list >= 0 { reach(number) }
    return number == active
  }

  @inline(never) private static func reach(_ number: Int32) {
    guard !listed[Int(number)] else { return }
    listed[Int(number)] = true
    let line = Array("\\(number)\\n".utf8)
    _ = write(list, line, line.count)
  }

  static func flip(_ number: Int32, _ condition: Bool) -> Bool { isOn(number) ? !condition : condition }
  static func keeps(_ number: Int32) -> Bool { !isOn(number) }
  static func swap<T>(_ number: Int32, _ old: T, _ new: T) -> T { isOn(number) ? new : old }
}
"""


def sign(number):
    """An operator of its own for each number."""
    return "≀" + chr(0x2200 + number % 256) + chr(0x2500 + number // 256)


def switch(numbered):
    """The source that goes with the changes of these (number, site)."""
    lines = [SWITCH % {"count": 1 + max((number for number, _ in numbered), default=0)}]
    for number, site in numbered:
        if site.operator:
            lines += operator(number, site.operator)
    return "\n".join(lines) + "\n"


def operator(number, old):
    new, group = OPERATORS[old]
    own = sign(number)
    both = f"Mutant.isOn({number}) ? left {new} right : left {old} right"

    def function(generics, left, right, result="Bool"):
        return f"func {own} {generics}(left: {left}, right: {right}) -> {result} {{ {both} }}"

    lines = [f"infix operator {own}: {group}"]
    if old in ("&&", "||"):
        lazy = "right: @autoclosure () throws -> Bool) rethrows"
        both = f"try Mutant.isOn({number}) ? left {new} right() : left {old} right()"
        return lines + [f"func {own} (left: Bool, {lazy} -> Bool {{ {both} }}"]
    if old in ("+", "-"):
        return lines + [function("<T: AdditiveArithmetic>", "T", "T", result="T")]
    one = "Equatable" if old in ("==", "!=") else "Comparable"
    lines.append(function(f"<T: {one}>", "T", "T"))
    if one == "Equatable":
        lines += ["@_disfavoredOverload", function("<L: StringProtocol, R: StringProtocol>", "L", "R")]
    lines += ["@_disfavoredOverload", function("<L: BinaryInteger, R: BinaryInteger>", "L", "R")]
    if one == "Equatable":
        lines.append(function("<T>", "T?", "_OptionalNilComparisonType"))
    return lines
