import Testing

@testable import parley

struct UnknownVerbTests {
  @Test(arguments: [
    (["rnu", "--mode", "direct"], "rnu", "run"), (["help", "rnu"], "rnu", "run"),
    (["help", "log", "exprt"], "log exprt", "log export"), (["help", "run", "rnu"], "run rnu", "run"),
  ])
  func theNearestOfItsKindIsNamed(_ arguments: [String], _ unknown: String, _ nearest: String) throws {
    let found = try #require(Parley.unknownVerb(in: arguments))
    #expect(found == (unknown, nearest))
  }

  @Test(arguments: [
    [], ["--help"], ["help"], ["help", "help"], ["help", "--help"], ["help", "log", "export"],
    ["help", "run", "--help"],
    ["log", "exprt"], ["ask", "help"],
  ])
  func whatIsKnownOrForAVerbToJudgeIsNotRefused(_ arguments: [String]) {
    #expect(Parley.unknownVerb(in: arguments) == nil)
  }
}
