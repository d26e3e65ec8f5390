// swift-tools-version: 6.2
import PackageDescription

// The arrows point down: adapters depend on VoiceVocabulary and on their own C library, never on each other. Three are shared:
// VoiceSound, sound without devices, serves whoever handles sound; VoiceWebSocket serves the live model and an agent; and
// VoiceLocal uses VoiceLive's dialect. script/test builds with `--explicit-target-dependency-import-check error`, so an
// undeclared import fails the build.

let isContinuousIntegration = Context.environment["CI"] != nil
let isThreadSanitized = Context.environment["PARLEY_THREAD_SANITIZER"] != nil

var house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if isContinuousIntegration { house.append(.treatAllWarnings(as: .error)) }
// `Synchronization.Mutex` looks like a race to ThreadSanitizer on Linux; `Locked` then uses a pthread mutex instead.
if isThreadSanitized { house.append(.define("PARLEY_THREAD_SANITIZER")) }

// What computes, and what sound goes through, is optimised in debug builds as well: the tests decide millions of times and move hours
// of sound.
let computing = house + [.unsafeFlags(["-O"], .when(configuration: .debug))]
let optimised: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

let package = Package(
  name: "parley",
  products: [.executable(name: "parley", targets: ["parley"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    // System libraries: a module map and inline shims for what Swift cannot import, nothing else.
    .systemLibrary(name: "CPortAudio", providers: [.apt(["portaudio19-dev"]), .brew(["portaudio"])]),
    .systemLibrary(
      name: "CWebSockets", pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"]), .brew(["libwebsockets"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "COpus", pkgConfig: "opus",
      providers: [.apt(["libopus-dev", "libogg-dev"]), .brew(["opus", "libogg"])]),
    .systemLibrary(
      name: "CSoundFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
    .systemLibrary(
      name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"]), .brew(["speexdsp"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CxxAudioProcessing", pkgConfig: "webrtc-audio-processing",
      providers: [.apt(["libwebrtc-audio-processing-dev"])]),
    // The kernel's timers that can be polled; on Linux alone.
    .systemLibrary(name: "CTimer"),
    .systemLibrary(name: "CProcess"),
    .target(
      name: "CAudioProcessing", dependencies: ["CxxAudioProcessing"],
      cxxSettings: [.define("WEBRTC_POSIX"), .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD")]),
    // Loaded with dlopen when first wanted: the program builds and starts without them.
    .target(name: "CSherpa"),
    // The inference library that sherpa-onnx brings along, and over it: the recogniser's search, whether a pause sounds like the
    // end of a turn, and the voice.
    .target(name: "CInference"),
    .target(name: "CMoonshine", dependencies: ["CInference"], cSettings: optimised),
    .target(name: "CTurn", dependencies: ["CInference"]),
    .target(name: "CPiper", dependencies: ["CInference"]),
    .target(name: "CTerminal"),
    .target(name: "CFlite"),
    .target(name: "CPulse"),
    // The voice activity detection network, whose kernels want a C compiler's loops.
    .target(name: "CSilero", cSettings: optimised),

    .target(name: "VoiceJSON", swiftSettings: computing),
    .target(
      name: "VoiceSystem", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: computing),
    .target(name: "VoiceFoundation", dependencies: ["VoiceSystem"], swiftSettings: house),
    // Events, actions, identifiers, notices, settings, ports: values that everybody may import.
    .target(name: "VoiceVocabulary", swiftSettings: computing),
    // What is English: wording for speech, the repair of names, the grammar of spoken decisions.
    .target(name: "VoiceLanguage", dependencies: ["VoiceVocabulary"], swiftSettings: computing),
    // Decides.
    .target(name: "VoiceCore", dependencies: ["VoiceVocabulary", "VoiceLanguage"], swiftSettings: computing),
    // The one serial order in which a live session takes its steps.
    .target(
      name: "VoiceLoop", dependencies: ["VoiceCore", "VoiceVocabulary", "VoiceSystem"], swiftSettings: computing),
    .target(
      name: "VoiceSound",
      dependencies: ["VoiceVocabulary", "VoiceSystem", "CSoundFile", "COpus", "CSpeexDSP", "CAudioProcessing"],
      swiftSettings: computing),
    .target(
      name: "VoiceAudio",
      dependencies: ["VoiceVocabulary", "VoiceSystem", "VoiceSound", "CPortAudio", "CPulse", "CTimer"],
      swiftSettings: computing),
    .target(name: "VoiceWebSocket", dependencies: ["VoiceSystem", "CWebSockets"], swiftSettings: computing),
    .target(
      name: "VoiceLive", dependencies: ["VoiceVocabulary", "VoiceSystem", "VoiceSound", "VoiceJSON", "VoiceWebSocket"],
      swiftSettings: computing),
    .target(
      name: "VoiceLocal",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceSystem", "VoiceFoundation", "VoiceSound", "VoiceJSON",
        "VoiceWebSocket", "VoiceLive", "CSherpa",
        "CInference", "CMoonshine", "CTurn", "CPiper", "CFlite", "CSilero",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .target(
      name: "VoiceConverse",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceSystem", "VoiceFoundation", "VoiceJSON", "VoiceWebSocket", "CCurl",
        "CProcess",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .target(
      name: "VoiceConfiguration",
      dependencies: ["VoiceVocabulary", "VoiceLanguage", "VoiceSystem", "VoiceFoundation", "VoiceJSON"],
      swiftSettings: house),
    .target(
      name: "VoiceGuide",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceSystem", "VoiceFoundation", "VoiceJSON",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    // The names of the project at hand.
    .target(
      name: "VoiceWords", dependencies: ["VoiceVocabulary", "VoiceLanguage", "VoiceSystem", "VoiceFoundation"],
      swiftSettings: house),
    .target(
      name: "VoiceRecording",
      dependencies: ["VoiceVocabulary", "VoiceSystem", "VoiceFoundation", "VoiceSound", "VoiceJSON"],
      swiftSettings: computing),
    // What a recorded session was: turns with their stages, in sentences, as a report, and in the forms of other tools.
    .target(
      name: "VoiceHistory",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceSystem", "VoiceFoundation", "VoiceSound", "VoiceJSON",
        "VoiceRecording",
      ],
      swiftSettings: house),
    .target(
      name: "VoiceIndex",
      dependencies: ["VoiceVocabulary", "VoiceSystem", "VoiceFoundation", "VoiceRecording", "VoiceHistory", "CSQLite"],
      swiftSettings: house),
    .target(
      name: "VoiceReplay",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceLoop", "VoiceSystem", "VoiceFoundation", "VoiceSound",
        "VoiceJSON",
        "VoiceRecording",
      ],
      swiftSettings: computing),
    .executableTarget(
      name: "parley",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceLoop", "VoiceSystem", "VoiceFoundation", "VoiceSound",
        "VoiceJSON",
        "VoiceAudio", "VoiceWebSocket", "VoiceLive", "VoiceLocal", "VoiceConverse", "VoiceGuide", "VoiceConfiguration",
        "VoiceRecording", "VoiceHistory", "VoiceIndex", "VoiceReplay", "VoiceWords", "CTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: house),

    .target(
      name: "VoiceTesting",
      dependencies: [
        "VoiceVocabulary", "VoiceCore", "VoiceSystem", .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Tests/VoiceTesting", swiftSettings: computing),
    .testTarget(name: "VoiceSystemTests", dependencies: ["VoiceSystem", "VoiceTesting"], swiftSettings: house),
    .testTarget(
      name: "VoiceJSONTests", dependencies: ["VoiceJSON", "VoiceReplay", "VoiceTesting"], swiftSettings: house),
    .testTarget(
      name: "VoiceLanguageTests",
      dependencies: ["VoiceVocabulary", "VoiceLanguage", "VoiceReplay", "VoiceTesting"], swiftSettings: house),
    .testTarget(
      name: "VoiceCoreTests",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceLoop", "VoiceSystem", "VoiceSound", "VoiceReplay",
        "VoiceTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "VoiceSoundTests", dependencies: ["VoiceVocabulary", "VoiceSound", "VoiceReplay", "VoiceTesting"],
      exclude: ["Fixtures"], swiftSettings: house),
    .testTarget(
      name: "VoiceAudioTests",
      dependencies: [
        "VoiceVocabulary", "VoiceCore", "VoiceLoop", "VoiceSystem", "VoiceSound", "VoiceAudio", "VoiceReplay",
        "VoiceTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "VoiceLiveTests",
      dependencies: [
        "VoiceVocabulary", "VoiceCore", "VoiceSystem", "VoiceLive", "VoiceJSON", "VoiceWebSocket", "VoiceReplay",
        "VoiceTesting", "CWebSockets",
      ],
      swiftSettings: house),
    .executableTarget(
      name: "SpeechEngineForTests", dependencies: ["VoiceLanguage", "VoiceCore", "VoiceSystem", "VoiceLocal"],
      path: "Tests/SpeechEngineForTests",
      swiftSettings: house),
    .testTarget(
      name: "VoiceLocalTests",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceSystem", "VoiceSound", "VoiceLocal", "VoiceLive",
        "VoiceWebSocket", "VoiceTesting", "SpeechEngineForTests",
      ],
      swiftSettings: house),
    // Every reader of bytes from outside, for the fuzzer and for the tests.
    .target(
      name: "FuzzReaders", dependencies: ["VoiceVocabulary", "VoiceCore", "VoiceSystem", "VoiceConverse", "VoiceJSON"],
      path: "Tests/FuzzReaders",
      swiftSettings: house),
    .testTarget(
      name: "VoiceConverseTests",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceSystem", "VoiceFoundation", "VoiceConverse",
        "VoiceReplay", "VoiceJSON", "VoiceTesting", "FuzzReaders",
      ],
      swiftSettings: house),
    .testTarget(
      name: "VoiceConfigurationTests", dependencies: ["VoiceVocabulary", "VoiceConfiguration", "VoiceTesting"],
      swiftSettings: house),
    .testTarget(
      name: "VoiceWordsTests",
      dependencies: ["VoiceVocabulary", "VoiceLanguage", "VoiceLoop", "VoiceWords", "VoiceTesting"],
      swiftSettings: house),
    .testTarget(
      name: "VoiceGuideTests",
      dependencies: ["VoiceSystem", "VoiceLanguage", "VoiceGuide", "VoiceJSON", "VoiceReplay", "VoiceTesting"],
      swiftSettings: house),
    // Runs a session with the real recorder and kills itself on the way.
    .executableTarget(
      name: "CrashingSession",
      dependencies: ["VoiceVocabulary", "VoiceCore", "VoiceSystem", "VoiceRecording", "VoiceReplay", "VoiceTesting"],
      path: "Tests/CrashingSession", swiftSettings: house),
    .testTarget(
      name: "VoiceRecordingTests",
      dependencies: [
        "VoiceVocabulary", "VoiceCore", "VoiceSystem", "VoiceSound", "VoiceRecording", "VoiceTesting",
        "CrashingSession",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "VoiceHistoryTests",
      dependencies: [
        "VoiceVocabulary", "VoiceLanguage", "VoiceCore", "VoiceSound", "VoiceHistory", "VoiceIndex", "VoiceRecording",
        "VoiceTesting", .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "VoiceReplayTests",
      dependencies: ["VoiceVocabulary", "VoiceCore", "VoiceReplay", "VoiceRecording", "VoiceTesting"],
      swiftSettings: house),
    .testTarget(
      name: "parleyTests",
      dependencies: [
        "VoiceVocabulary", "VoiceCore", "VoiceSystem", "parley", "VoiceRecording", "VoiceTesting",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// libFuzzer brings the program's entry point with it, so these link under its sanitizer only: see script/fuzz.
if Context.environment["PARLEY_FUZZ"] != nil {
  for (name, dependencies) in [
    ("Fuzz", ["FuzzReaders"]),
    (
      "FuzzFiles",
      [
        "VoiceCore", "VoiceSound", "VoiceRecording", "VoiceReplay", "VoiceHistory", "VoiceIndex", "VoiceConfiguration",
      ]
    ),
  ] as [(String, [Target.Dependency])] {
    package.targets.append(
      .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: ["seeds"],
        swiftSettings: house + [.unsafeFlags(["-parse-as-library"])]))
  }
}

// What a benchmark needs that the program has no verb for: see script/bench.
if Context.environment["PARLEY_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "AgentLatency", dependencies: ["VoiceVocabulary", "VoiceCore", "VoiceLoop", "VoiceConverse"],
      path: "Benchmarks/AgentLatency",
      swiftSettings: house))
  package.targets.append(
    .executableTarget(
      name: "EchoGate", dependencies: ["VoiceLocal", "VoiceSound"], path: "Benchmarks/EchoGate",
      swiftSettings: house))
}

// What script/compare runs in the program as it is and as it was.
if Context.environment["PARLEY_COMPARE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Decisions", dependencies: ["VoiceVocabulary", "VoiceSound", "VoiceRecording", "VoiceReplay"],
      path: "Tests/Decisions", swiftSettings: house))
}
