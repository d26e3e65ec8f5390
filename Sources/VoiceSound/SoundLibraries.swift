import COpus
import CSoundFile

/// The libraries that read and write sound.
package enum SoundLibraries {
  /// Their versions by name, as they say them themselves.
  package static var versions: [String: String] {
    ["libopus": String(cString: opus_get_version_string()), "libsndfile": String(cString: sf_version_string())]
  }
}
