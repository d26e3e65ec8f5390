import VoiceSystem

/// The path of this very program, for starting it again as a child.
let ownExecutable: String = {
  var buffer = [CChar](repeating: 0, count: 4096)
  #if canImport(Darwin)
    var size = UInt32(buffer.count)
    let count = _NSGetExecutablePath(&buffer, &size) == 0 ? buffer.firstIndex(of: 0) ?? 0 : 0
  #else
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
  #endif
  guard count > 0 else { return CommandLine.arguments[0] }
  return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}()
