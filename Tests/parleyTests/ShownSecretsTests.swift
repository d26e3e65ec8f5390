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
    (
      "acp:a --auth hunter2top -p hunter3top PASS=x DB_PASSWORD=x PGPASS='x y'",
      "acp:a --auth (secret) -p (secret) PASS=(secret) DB_PASSWORD=(secret) PGPASS=(secret)"
    ),
    (
      "acp:a -p 8080 -p 8080:80 -u 1000:1000 -p ./dist2/server --auth basic -p work",
      "acp:a -p 8080 -p 8080:80 -u 1000:1000 -p ./dist2/server --auth basic -p work"
    ),
    (
      "acp:a --password 'two words' --bypass on COMPASS=north PATH=/bin",
      "acp:a --password (secret) --bypass on COMPASS=north PATH=/bin"
    ),
    (
      "acp:a --user me:hunter2 --header 'Authorization: Bearer hunter2' -x",
      "acp:a --user (secret) --header 'Authorization: Bearer (secret)' -x"
    ),
    (
      "acp:a -H 'X-Api-Key: hunter2' -H X-Token:hunter2 'Accept: text'",
      "acp:a -H 'X-Api-Key: (secret)' -H X-Token:(secret) 'Accept: text'"
    ),
    (#"acp:a --header="Cookie: hunter2" 'TOKEN=hunter 2'"#, #"acp:a --header="Cookie: (secret)" 'TOKEN=(secret)'"#),
    (
      "acp:a sk-0123456789abcdefghij /a/Dir1/with/a/long/path/to/Something",
      "acp:a (secret) /a/Dir1/with/a/long/path/to/Something"
    ),
    (
      "The agent “acp:a --password 'hunter2 top” has a quote that is never closed.",
      "The agent “acp:a --password (secret)” has a quote that is never closed."
    ),
    ("acp:env GREETING='good day' it's='a b c' a", "acp:env GREETING='good day' it's='a b c' a"),
    ("acp:env X='--token abc' a", "acp:env X='--token (secret)' a"),
    ("It doesn't say 'yes' when it can't; no key: set one.", "It doesn't say 'yes' when it can't; no key: set one."),
  ])
  func aSettingIsShownWithoutWhatMayBeSecret(_ text: String, _ shown: String) {
    #expect(withoutSecrets(text) == shown)
    #expect(withoutSecrets(shown) == shown, "what is hidden stays as it is")
  }
}
