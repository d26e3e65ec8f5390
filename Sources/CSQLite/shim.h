#pragma once
#include <sqlite3.h>

// The cast macro SQLITE_TRANSIENT is not imported: SQLite copies the text before the call returns.
static inline int parley_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
