package import VoiceVocabulary

extension UserCommand {
  /// A command of each kind that a line gives, and more where one has several forms.
  package static let everyLine: [UserCommand] = [
    .approve, .reject(reason: nil), .reject(reason: "too risky"), .choose(numbers: [1]), .choose(numbers: [1, 3]),
    .choose(numbers: [9]), .answer(text: "yes, it is"), .answer(text: "red"), .steer, .next, .previous, .extend,
    .explain,
    .done, .longThought, .listen(isOn: true), .listen(isOn: false), .skip, .back, .slower, .faster,
    .amend(text: "run all"), .say(text: "list the files"), .mode(mode: .direct), .mode(mode: .review),
    .agentSetting(setting: .mode, name: ""), .agentSetting(setting: .mode, name: "plan"),
    .agentSetting(setting: .model, name: "opus"), .agentCommands, .agentSession(choice: .list),
    .agentSession(choice: .rewind(number: "2")), .agentApprovals(undo: nil), .agentApprovals(undo: 1), .quiet, .halt,
    .again, .help, .quit,
  ]

  /// The commands of lines, and those that only keys give.
  package static let every = everyLine + [.beginEdit, .beginTyping, .endTyping, .leave]
}
