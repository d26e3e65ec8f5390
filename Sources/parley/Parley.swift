import ArgumentParser

@main
struct Parley: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Talk hands-free to a coding agent.")
}
