import Testing

@testable import parley

struct ShownSecretsTests {
  @Test(arguments: [
    ("acp:agent --api-key hunter2 --model m", "acp:agent --api-key (secret) --model m"),
    ("acp:agent --token=hunter2", "acp:agent --token=(secret)"),
    ("acp:env MY_SECRET=hunter2 agent -key  hunter2", "acp:env MY_SECRET=(secret) agent -key  (secret)"),
    ("chat:https://me:hunter2@host/?key=hunter2", "chat:https://(secret)@host/?(secret)"),
    ("acp:agent --key-file /etc/key --monkey", "acp:agent --key-file /etc/key --monkey"),
    ("", ""),
  ])
  func aSettingIsShownWithoutWhatMayBeSecret(_ text: String, _ shown: String) {
    #expect(withoutSecrets(text) == shown)
  }
}
