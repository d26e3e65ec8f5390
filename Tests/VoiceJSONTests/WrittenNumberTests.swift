import Testing
import VoiceJSON

struct WrittenNumberTests {
  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "4503599627370497", "1e999", "-1e16", "1E+300", "9e15",
    "99999999999999999999999999999999",
  ]) func aNumberBeyondAllCountsIsFoundWhereverItStands(_ number: String) {
    for document in [
      "\(number)", "{\"a\":\(number)}", "[1,\(number),2]", "{\"a\": {\"b\" : \(number) }}", "\"a\"\(number)",
    ] {
      #expect(WrittenNumbers.excess(in: Array(document.utf8)) == number, "\(document)")
    }
    for document in ["{\"a\":\"\(number)\"}", "{\"\(number)\":1}", "[\"\\\"\(number)\"]", "\"open \(number)"] {
      #expect(WrittenNumbers.excess(in: Array(document.utf8)) == nil, "\(document)")
    }
  }

  @Test(arguments: ["0", "-1", "4503599627370496", "-4503599627370496", "1e9", "0.1", "1e-300", "true", "null", "[]"])
  func otherNumbersPass(_ number: String) {
    #expect(WrittenNumbers.excess(in: Array("{\"a\":\(number)}".utf8)) == nil)
  }
}
