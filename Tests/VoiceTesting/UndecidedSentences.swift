/// What a person may say that neither approves nor rejects anything.
package enum UndecidedSentences {
  /// Each alone is a whole utterance.
  package static let all = [
    // Negated.
    "Okay, wait, don't run that.", "Not okay.", "Not approved.", "I do not approve.", "I don't approve that.",
    "Don't approve.", "Do not approve it.", "Never approve that.", "Not yes.", "No, don't go ahead.", "Don't go ahead.",
    "Do not go ahead.", "I can't approve this.", "I would not approve that.", "Please don't send it yet.",
    "Disapprove.", "Unapprove.", "No go ahead.", "No approve.", "No, yes.", "Not that.", "No way, send it back.",
    "Don't do it yet.", "Approve not.", "Yes, no.", "Yes and no.", "Yes, don't.", "Do it not.", "Won't approve.",
    // Hedged.
    "Yes, but first run the tests.", "Yes but", "Yes, but only in the sandbox.", "Maybe.", "Maybe approve.",
    "I think approve.", "I guess so.", "Probably yes.", "Perhaps go ahead.", "Sure, I guess.",
    "Yes, if the tests pass.",
    "Approve if it is safe.", "Approve, I think.", "Go ahead, unless it deletes something.", "Kind of yes.",
    "Yes, wait.", "Approve, wait.", "Go ahead and wait.", "Almost approve.", "Approve, but not now.", "Approve later.",
    "Go ahead tomorrow.", "Yes, in a minute.", "Well, yes, hm, let me see.", "Not yet.", "Wait.", "Hold on.",
    "One moment.", "Let me think.", "Approve? No.", "Yes? I mean no.",
    // Questions and quotations.
    "Should I approve?", "Shall we go ahead?", "What if I approve?", "What happens if I say yes?", "Can you approve?",
    "Did I approve that?", "Who approved it?", "He said yes.", "She said go ahead.", "The word is approve.",
    "If I say approve it runs.", "Say approve.", "Is it a yes?", "Approve or reject?", "Yes or no?", "Why approve?",
    // One more word.
    "Approve everything.", "Approve all of them.", "Approve the second one.", "Approve both.", "Yes to all.",
    "Yes, delete the folder.", "Go ahead and delete everything.", "Send it to production.", "Send it to Peter.",
    "Do it again.", "Do it differently.", "Allow network access.", "Accept the incoming changes.", "Yes, yesterday.",
    "Approve the pull request on GitHub.", "Always allow.", "Allow everything from now on.", "Yes master.",
    "Approve approve approve", "Go ahead home.", "Send it and then push.", "Yes I said no.", "Approve that function.",
    // Only acknowledging.
    "Okay.", "OK", "Sure.", "Fine.", "Right.", "Alright.", "All right.", "Yeah.", "Uh-huh.", "Mm-hmm.", "I see.",
    "Got it.", "Good.", "Great.", "Sounds good.", "Looks good to me.", "Cool.", "Thanks.", "Perfect.", "Mhm.",
    // Foreign to the grammar, or heard wrongly.
    "Run the tests.", "Why is the build failing?", "Prove.", "Improve.", "A prove", "Except.", "Yesterday.",
    "Yes.yes.no",
    "", " ", "…", "Ja.", "Oui.", "Sí, adelante.", "Да.", "はい", "👍", "y", "Y E S", "approove", "aprove", "approver",
    "approval", "go head", "goahead", "send", "it", "send them", "ahead", "a lot", "do", "know", "now", "nose",
  ]
}
