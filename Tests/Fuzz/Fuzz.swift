import FuzzReaders

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What libFuzzer calls with each input. The reader is named by the environment variable `PARLEY_FUZZ_READER`.
@_cdecl("LLVMFuzzerTestOneInput")
func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let reader: FuzzReader = {
  let name = getenv("PARLEY_FUZZ_READER").map { String(cString: $0) } ?? ""
  guard let reader = FuzzReader.allCases.first(where: { $0.name == name }) else {
    preconditionFailure("PARLEY_FUZZ_READER is “\(name)”, but must be one of \(FuzzReader.allCases.map(\.name))")
  }
  return reader
}()
