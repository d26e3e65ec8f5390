import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// "1 files" comes back with every text that counts by itself; so the sources are looked through for such texts.
@Test func nothingButCountedPutsANumberBesideANoun() throws {
  let sources = Repository.path + "/Sources"
  // A choice of two texts by whether a number is one; and a number in a text with a plural right behind it.
  let patterns: [Regex<Substring>] = [
    #/(?:==|>|<=) 1 \? "[a-z]+/#,
    #/\\\([A-Za-z.]*(?:[cC]ount|number|lines|files)\) (?:sessions|turns|lines|files|folders|lessons|words|steps|runs)\b/#,
  ]
  var found: [String] = []
  for path in try FileManager.default.subpathsOfDirectory(atPath: sources).sorted() where path.hasSuffix(".swift") {
    let text = String(decoding: FileManager.default.contents(atPath: "\(sources)/\(path)") ?? Data(), as: UTF8.self)
    guard !path.hasSuffix("Wording/Counted.swift"), !path.hasSuffix("Wording/SpokenQuantity.swift") else { continue }
    for pattern in patterns {
      found += text.matches(of: pattern).map { "\(path): \($0.output)" }
    }
  }
  #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}
