// What the operating system offers: its C library, and descriptors and file names in Swift's terms. Whoever imports this module has
// both; nobody imports them by their names, which differ from one system to the other.

#if canImport(System)
  @_exported public import System
#else
  @_exported public import SystemPackage
#endif
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
