extension Keyboard {
  /// What the keys do, a line each.
  static let help = [
    "a approve    r reject    e edit    E edit in $EDITOR",
    "while you edit, Tab cycles through what else may have been heard",
    "x extend: keep speaking    R reject with a reason; an agent that",
    "asked is told it, for an instruction it is only logged",
    "1 to 9 choose an answer    w answer in words",
    "s steer: send it to the agent while it works",
    "n, p next, previous held item    g hear it again",
    "d details: who asks, what exactly; or what the agent did",
    "i type an instruction    / one of the agent's own commands",
    "m switch between review and direct",
    "M the agent's mode    o its model    (Tab completes its names)",
    "S its sessions: continue or fork one, or rewind to a message",
    "A what it may do without asking: list it, take it back",
    "t long thought: only the end word or Enter ends what you say",
    "Enter end of turn    Space or u open or close the microphone;",
    "hold Space to talk",
    "] skip the sentence    [ go back one    - slower    + faster",
    "Esc quiet: stop speaking    h or Ctrl-G halt: stop the work",
    "q or Ctrl-C quit    ? these keys",
    "A key acts when it is pressed alone; what is typed or pasted goes",
    "into the input line",
  ]
}
