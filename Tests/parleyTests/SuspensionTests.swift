import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let servers = Repository.path + "/Tests/servers"

/// Runs the program on a sound server of its own, stops it for a while as Ctrl-Z or a closed lid does, and ends it.
private let stopAndGoOn = """
  mkfifo "$HOME/hold"
  exec 3<>"$HOME/hold"
  "\(servers)/private-pulseaudio" "$HOME/pulse" <"$HOME/hold" >"$HOME/ready" 3>&- &
  until grep -q ready "$HOME/ready" 2>/dev/null; do sleep 0.1; done
  export PULSE_SERVER="unix:$HOME/pulse/socket"
  "$0" "$@" </dev/null >"$HOME/out" 2>&1 3>&- &
  program=$!
  until grep -q Listening "$HOME/out"; do kill -0 $program || break; sleep 0.1; done
  sleep 1
  kill -STOP $program
  sleep "$STOPPED"
  kill -CONT $program
  sleep 7
  kill -TERM $program
  wait $program
  code=$?
  exec 3>&-
  cat "$HOME/out"
  exit $code
  """

@Suite(
  .serialized,
  .enabled(
    if: Program.isInstalled("pulseaudio") && Program.isInstalled("pactl") && Program.isInstalled("python3"),
    "pulseaudio and python3 are needed"))
struct SuspensionTests {
  /// The device's limit is 0.7 s: without it every one of these ended the session.
  @Test(.timeLimit(.minutes(5)), arguments: [4, 9]) func aSessionThatWasStoppedGoesOn(_ seconds: Int) async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run([]) { server in
      let finished = try await Program.run(
        ["run", "--live", server.url, "--agent", "echo", "--mode", "direct", "--session", home.path + "/session"],
        home: home, environment: ["STOPPED": "\(seconds)"], shell: stopAndGoOn)
      #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
      #expect(!finished.output.contains("error"), "\(finished.output)")
      let steps = try LogReader(home.path + "/session/events.jsonl").lines
      var last: (time: SessionTime, position: Int)?
      var stop = 0.0
      for line in steps {
        guard case .microphoneFrame(let frame) = line.step.event else { continue }
        if let last { stop = max(stop, line.step.time.seconds - last.time.seconds) }
        let count = line.repeated - 1
        last = (
          line.step.time.advanced(byMilliseconds: count * PCM.frameMilliseconds),
          frame.position + count * PCM.frameSamples
        )
      }
      let end = try #require(last)
      #expect(stop > Double(seconds) - 1.5, "it was stopped for \(stop) s")
      #expect(
        abs(end.time.seconds - Double(end.position) / Double(PCM.microphoneRate)) < 2,
        "a frame of \(Double(end.position) / 16_000) s came at \(end.time.seconds) s")
      #expect((try #require(steps.last)).step.time.seconds - end.time.seconds < 3, "frames came to the end")
    }
  }
}
