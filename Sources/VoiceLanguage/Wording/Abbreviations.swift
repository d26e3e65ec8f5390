/// Words whose full stop ends no sentence, without it.
enum Abbreviations {
  static let words: Set<String> = ["e.g", "i.e", "etc", "vs", "cf", "approx"]
  /// With their capital: "MR" is a merge request.
  static let titles: Set<String> = ["Mr", "Mrs", "Dr"]
}
