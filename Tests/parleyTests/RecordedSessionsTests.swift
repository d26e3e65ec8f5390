import Subprocess
import Testing
import VoiceTesting

/// Real sessions of every kind – sources, agents, decisions, crashes, cuts –, each replayed in both gears. Those of local
/// speech take a minute of the processor and are left to whoever runs the script by itself.
@Suite(.serialized, .enabled(if: Program.isInstalled("python3"), "python3 is needed"))
struct RecordedSessionsTests {
  @Test(.timeLimit(.minutes(10))) func everySessionThatTheProgramRecordsReplaysInBothGears() async throws {
    let script = Repository.path + "/Tests/servers/recorded_sessions.py"
    let result = try await Subprocess.run(
      .name("python3"), arguments: [script, "--parley", Program.path, "--only", "^(?!local)"],
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    let lines = result.standardOutput.split(separator: "\n")
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    for line in lines.dropLast() {
      let isSame = line.contains(": log: same; world: ") && !line.contains("differs") && !line.contains("NOT ")
      #expect(isSame, "\(line)")
    }
    #expect(lines.count > 60, "\(result.standardOutput)")
  }
}
