/// Which pages of a list are asked for: none twice, and so many at the most, whatever a server or an agent says comes next.
struct ListedPages {
  private var asked: Set<String> = []

  /// Whether to ask for the page of this name.
  mutating func admits(_ page: String) -> Bool {
    asked.count < ConverseLimits.listedPages && asked.insert(page).inserted
  }
}
