package import VoiceVocabulary

/// Every setting, once: its property of the plan, its key, its built-in value and what it means. The reader of
/// configurations, the annotated default, the help of its flag and `parley check` follow it. A flag names its setting once more
/// (`PlanOptions`), and so does what the controller must know (`InteractionSettings`).
package struct Settings: Sendable {
  package static let all = Settings()

  // MARK: interaction

  package let mode = Setting(
    "interaction.mode", InteractionMode.review,
    """
    What happens to a spoken instruction: "review" holds it until it is approved, "direct" sends it at once.
    """)
  package let readsBack = Setting("interaction.readBack", true, "Whether a held instruction is read aloud.")
  package let interruptedBy = Setting<VoiceDetector?>(
    "interaction.interruptedBy", open: "auto",
    """
    Who may interrupt a reply: "vad", the detector at the microphone, the live "model", or "auto": the former with a sound \
    device, the model otherwise.
    """)
  package let display = Setting(
    "interaction.display", Display.lines,
    """
    How the session is shown: "lines" (one for each thing that happens, never redrawn), "status" (a status line \
    below them, and text as it comes), "quiet" (only what needs you), or "json" (one object for each line).
    """)
  package let spokenDecisions = Setting(
    "interaction.spokenDecisions", InteractionSettings.SpokenDecisions.instructions,
    """
    What may be decided by voice ("yes", "no", "change X to Y" …): "none", "instructions", or "all", which adds \
    what the agent asks.
    """)
  package let keyboardOnly = Setting(
    "interaction.keyboardOnly", KeyboardOnlyActs.defaults,
    """
    What may be approved by key only, never by voice. A pattern is words in this order, with anything between them; \
    * stands for any letters, <outside> for a path outside the working folder. All of them are about instructions. \
    What the agent asks needs a key unless it is known to be harmless; patterns of your own that are not here are \
    about that as well.
    """)
  package let voiceCommands = Setting<[String]>(
    "interaction.voiceCommands", [],
    """
    Commands that may be approved by voice besides those known to be read-only, such as "swift test". A trailing * \
    stands for any plain words: "npm run lint *".
    """)
  package let duringRun = Setting(
    "interaction.duringRun", InteractionSettings.DuringRun.queue,
    """
    What becomes of a new instruction while the agent works: "queue", "steer" (into the work, where the agent can), \
    or "halt" (stop the work first).
    """)
  package let tellsWhatWasHeard = Setting(
    "interaction.tellWhatWasHeard", true,
    "Whether the agent is told how much of an answer you heard before you interrupted it.")
  package let startsListening = Setting(
    "interaction.listenFromStart", true,
    "Whether the microphone is open from the start; if not, a key opens it.")
  package let answerLimitSeconds = Setting(
    "interaction.answerLimitSeconds", 0, 0...86_400,
    "How long the agent waits for an answer before it gives up, for one that does: you are warned before. 0: forever.")
  package let backgroundSeconds = Setting(
    "interaction.backgroundSeconds", Limits.backgroundMilliseconds / 1000, 0...86_400,
    """
    How long an unattended session, and "parley ask", wait for the agent's background work; the default is longer than \
    Claude Code lets a background command run. What has not ended by then is named, and ends with the agent.
    """)
  package let shownMilliseconds = Setting(
    "interaction.shownMilliseconds", Limits.shownMilliseconds, 0...10_000,
    """
    How long an item must have been on the screen before a key, a line or your voice can decide it; anything sooner \
    was meant for something else. 0 is for scripts that decide in advance.
    """)
  package let knowsProjectWords = Setting(
    "interaction.projectWords", true,
    "Whether names are gathered from the working folder, so that they are recognised when they are spoken.")
  package let patience = Setting(
    "interaction.patience", Patience.normal,
    """
    How much time you want to think while you speak: "quick", "normal" or "patient". The pauses that end what you \
    say are 0.7 times, once or 1.6 times as long.
    """)
  package let endWord = Setting(
    "interaction.endWord", "",
    """
    A word, or up to three, that end what you say, such as "over"; they are not sent, and a pause ends nothing then. \
    What is not ended within ten seconds of silence is held. Empty: a pause ends what you say.
    """)
  package let thinksLong = Setting(
    "interaction.longThought", false,
    "Whether only the end word or the key Enter ends what you say, however long you think. The key t switches it.")
  package let stopPhrase = Setting(
    "interaction.stopPhrase", SpokenPhrases.builtIn.stop,
    """
    What you say to stop speech or the work: two to four words, told apart by their sound with the local model. "Parley, \
    stop" and a plain "stop" always do. Empty: only those.
    """)
  package let sleepPhrase = Setting(
    "interaction.sleepPhrase", SpokenPhrases.builtIn.sleep,
    "What you say to close the microphone. Empty: only a key closes it.")
  package let wakePhrase = Setting(
    "interaction.wakePhrase", "",
    """
    The phrase that opens a closed microphone, such as "hey parley" (local model only). A closed microphone is then still \
    listened to, on this machine and for this phrase only. Empty: a closed microphone hears nothing.
    """)

  // MARK: audio

  package let microphone = Setting(
    "audio.microphone", "default",
    """
    "default", part of a device's name, a sound file, a pipe of raw PCM (16 kHz, 16-bit, mono), or "-".
    """)
  package let speaker = Setting(
    "audio.speaker", "default",
    """
    "default", part of a device's name, a WAV file to be written, a pipe for raw PCM (24 kHz), "-", or "none".
    """)
  package let overwritesSpeaker = Setting(
    "audio.overwrite", false,
    "Whether a file that is named as the speaker is overwritten if it already exists.")
  package let isFast = Setting(
    "audio.pace", "real", or: "fast",
    """
    How fast a sound file is taken for a microphone: in "real" time, or as "fast" as it is heard.
    """)
  package let cancelsEcho = Setting(
    "audio.echoCancelling", true,
    """
    Whether the loudspeaker's echo is taken out of what a device's microphone hears. false is for headphones, and \
    for a device that does it itself.
    """)

  // MARK: live

  package let endpoint = Setting(
    "live.endpoint", "auto",
    """
    Which live model hears and speaks: "local"; a provider by its name; another server of its protocol, as \
    "PROVIDER:wss://host/path" (an address alone is the first provider's); or "auto": a provider whose key is set \
    and that is not often set for other programs, or local. `--help` names the providers.
    """)
  package let model = Setting(
    "live.model", "",
    """
    The live model, by its provider's name for it; empty for the provider's default.
    """)
  package let voice = Setting<String?>(
    "live.voice",
    """
    The live model's voice, by its provider's name for it; empty for the provider's default.
    """)
  package let keyVariable = Setting(
    "live.keyVariable", "",
    """
    The NAME of the environment variable that holds the key; empty for the provider's default. \
    The key itself is never written anywhere.
    """)
  package let certificateAuthority = Setting<String?>(
    "live.certificateAuthority",
    "A PEM file with certificates to trust instead of the system's; empty for the system's.")
  package let turnDetection = Setting<InteractionSettings.TurnDetection?>(
    "live.turnDetection", open: "auto",
    """
    Who finds the end of an utterance: the live model's "server", the "client" at the microphone, which sends no silence, or \
    "auto": the client with a provider's own service if it takes that, a sound device listens and the local speech models \
    are installed, the server otherwise.
    """)
  package let pauseMilliseconds = Setting(
    "live.silenceMilliseconds", Limits.defaultSilenceMilliseconds, 200...10_000,
    """
    How long a pause ends an utterance, in milliseconds. 1000 cuts half as many sentences in two as 600, and every \
    answer comes 0.4 s later for it. Up to 2000 the local model takes it as what you prefer: a whole sentence ends \
    sooner, one that stops in its middle later.
    """)
  package let playsModelVoice = Setting(
    "live.playModelVoice", true,
    "Whether the live model's own voice (a question back) is played while nothing else speaks.")

  // MARK: agent

  package let agent = Setting(
    "agent.agent", "guide",
    """
    The coding agent: "guide", "echo", one that `parley agents` lists such as "claude" or "codex", "acp:COMMAND \
    ARGUMENTS" for any other of the Agent Client Protocol, or a server as "KIND[:ADDRESS][#MODEL]". `--help` names the \
    kinds.
    """)
  package let workingFolder = Setting("agent.workingFolder", ".", "Where the agent works.")
  package let agentEnvironment = Setting<[String]>(
    "agent.environment", [],
    """
    Environment variables that are always passed to the agent, even one that holds a key that Parley uses itself.
    """)
  package let inheritsEnvironment = Setting(
    "agent.inheritEnvironment", true,
    """
    Whether the agent's process gets what a terminal would give it: proxies, certificates, the SSH agent, cloud \
    profiles, the language. The keys that Parley itself uses are left out. With false it gets PATH, HOME, LANG, TERM \
    and the like, the variables that its kind is known to need, and those above.
    """)
  package let preferredAgentMode = Setting<String?>(
    "agent.preferredMode",
    """
    The mode that the agent is put into once its session is open, such as "ask". Empty: one that asks, if it is \
    known.
    """)
  package let agentModel = Setting<String?>(
    "agent.model",
    "The model that the agent works with. Empty leaves it to the agent.")
  package let agentKeyVariable = Setting<String?>(
    "agent.keyVariable",
    "The NAME of the environment variable that holds an HTTP agent's token; empty for none.")
  package let agentKeyFile = Setting<String?>(
    "agent.keyFile",
    "Instead, a file that holds the token and that only you may read (chmod 600); empty for none.")
  package let agentKeyIsCookie = Setting(
    "agent.keyForm", "token", or: "cookie",
    """
    How the token is sent: as a "token" (Authorization: Bearer, or the header that the server has for it) or a \
    "cookie".
    """)
  package let agentCertificateAuthority = Setting<String?>(
    "agent.certificateAuthority",
    "A PEM file with certificates to trust for HTTP agents instead of the system's; empty for the system's.")
  package let attachments = Setting<[String]>(
    "agent.attachments", [],
    """
    Images (HEIC with better alone) and PDFs that go with the first instruction (better, chat, page-space, ui-messages); \
    "clipboard" is the image that was copied last.
    """)
  package let generation = Setting<[String]>(
    "agent.generation", [],
    """
    How a bare model (better) writes its answer: "temperature=0.2", "maxOutputTokens=800", "thinkingBudget=0" and others.
    """)
  package let systemPrompt = Setting<String?>(
    "agent.systemPrompt",
    """
    The system prompt (duck-talk, better, chat). Empty: a built-in one, which says that answers are heard, not read.
    """)
  package let modelTools = Setting<[String]>(
    "agent.modelTools", [],
    """
    What it may use at its server: "search" (the web), "code" (runs Python there), "url" (reads the addresses in your words).
    """)

  // MARK: recording

  package let records = Setting(
    "recording.enabled", true,
    "Whether the session leaves a folder with its log and its sound.")
  package let recordingFolder = Setting<String?>(
    "recording.folder",
    "Where session folders are made; empty for $XDG_STATE_HOME/parley/sessions.")
  package let recordedSound = Setting(
    "recording.sound", of: ["opus", "lossless", "both"],
    """
    How the sound is kept: as "opus" (0.4 MB a minute), "lossless" (WAV, 5 MB a minute), or "both".
    """)
}
