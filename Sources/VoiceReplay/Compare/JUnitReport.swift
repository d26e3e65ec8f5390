import VoiceVocabulary

/// What a replay gave, for a report that CI systems read (JUnit's XML, as Jenkins and GitLab document it).
package struct JUnitReport {
  /// What came of a case.
  package enum Result: Sendable {
    case passed
    /// The session is not as it should be.
    case failed(String)
    /// It could not be tried.
    case unusable(String)
  }

  private var rows: [String] = []
  private var failures = 0
  private var errors = 0
  private var seconds = 0.0

  package init() {}

  /// Add a case.
  package mutating func add(_ name: String, seconds: Double, _ result: Result) {
    self.seconds += seconds
    let head = "    <testcase classname=\"parley.replay\" name=\"\(name.xml)\" time=\"\(Self.text(seconds))\""
    switch result {
    case .passed: rows.append(head + "/>")
    case .failed(let text):
      failures += 1
      rows.append("\(head)>\n      <failure message=\"\(text.firstLine.xml)\">\(text.xml)</failure>\n    </testcase>")
    case .unusable(let text):
      errors += 1
      rows.append("\(head)>\n      <error message=\"\(text.firstLine.xml)\">\(text.xml)</error>\n    </testcase>")
    }
  }

  /// The report, as CI systems read it.
  package var xml: String {
    let counts = "tests=\"\(rows.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(Self.text(seconds))\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="parley replay" \(counts)>
      \(rows.joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  /// Whether a file that begins like this is such a report.
  package static func isReport(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.hasPrefix("<?xml") && text.contains("<testsuite")
  }

  private static func text(_ seconds: Double) -> String {
    let microseconds = Int(seconds * 1_000_000)
    return "\(microseconds / 1_000_000).\(String(1_000_000 + microseconds % 1_000_000).dropFirst())"
  }
}

extension String {
  /// As text or attribute of XML 1.0; characters that XML cannot hold are replaced.
  fileprivate var xml: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
