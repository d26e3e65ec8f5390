// Foundation without what it knows of languages and calendars: that would make the program four times as large, and its start
// twice as long. Whoever imports this module has it; nobody imports Foundation itself.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
