#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an enumeration of the vocabulary declares, read from its source: so nobody has to count what there must be an example of.
package enum Declared {
  /// The names of the cases of a type, which has a file of its own.
  package static func cases<Value>(of type: Value.Type) throws -> Set<String> {
    let folder = Repository.path + "/Sources/VoiceVocabulary"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    guard let path = paths.first(where: { $0.hasSuffix("/\(type).swift") }) else { throw NotDeclared(type: "\(type)") }
    let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    let lines = source.split(separator: "\n").drop { !$0.hasPrefix("package enum \(type):") }.prefix { $0 != "}" }
    return Set(lines.filter { $0.hasPrefix("  case ") }.flatMap { names(String($0.dropFirst("  case ".count))) })
  }

  /// The name of a value's case.
  package static func name<Value>(_ value: Value) -> String { String("\(value)".prefix { $0 != "(" }) }

  /// Several cases may stand in one line, with commas between what they carry, too.
  private static func names(_ declaration: String) -> [String] {
    var depth = 0
    let outside = declaration.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" { depth -= 1 } }
      return depth == 0
    }
    return outside.split { ", ".contains($0) }.map(String.init)
  }

  private struct NotDeclared: Error {
    let type: String
  }
}
