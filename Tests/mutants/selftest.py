"""The changes, on a few lines of Swift: what is changed, what is not, and what is compiled."""

import sys

from sites import changed, sites

SOURCE = """enum A {
  case b
  func c(_ d: [Int]) -> Bool {
    let e = d.count + 1
    if e < 3, let f = d.first { d.forEach { print($0) } }
    guard !d.isEmpty || e == 2 else { return true }
    g.h = 4
    print(
      "i < j")
    switch e {
    case 5: k()
    default: break
    }
    while true { return false }
  }
  init() { l = 6 }
  func m() {
    #if os(Linux)
      n = true
    #else
      n = 7
    #endif
  }
}
"""
EXPECTED = [
    "4: arithmetic: count + 1 → count - 1",
    "4: literal: let e = d.count + 1 → let e = d.count + 2",
    "5: boundary: e < 3 → e <= 3",
    "5: condition: e < 3 → !(e < 3)",
    "5: literal: if e < 3, let f = d.first { d.forEach { print($0) } } → if e < 4, let f = d.first { d.forEach { print($0) } }",
    "6: condition: !d.isEmpty || e == 2 → !(!d.isEmpty || e == 2)",
    "6: condition: e == 2 → e != 2",
    "6: condition: isEmpty || e → isEmpty && e",
    "6: literal: guard !d.isEmpty || e == 2 else { return true } → guard !d.isEmpty || e == 3 else { return true }",
    "6: literal: guard !d.isEmpty || e == 2 else { return true } → guard !d.isEmpty || e == 2 else { return false }",
    "7: literal: g.h = 4 → g.h = 5",
    "7: removed: g.h = 4 → ",
    '8: removed: print( "i < j") → ',
    "14: literal: while true { return false } → while true { return true }",
    "16: literal: init() { l = 6 } → init() { l = 7 }",
] + (
    ["19: literal: n = true → n = false", "19: removed: n = true → "]
    if sys.platform == "linux"
    else ["21: literal: n = 7 → n = 8", "21: removed: n = 7 → "]
)
COMPILED = [
    "    if Mutant.flip(1, e ≀∀─ Mutant.swap(2, 3, 4)), let f = d.first { d.forEach { print($0) } }",
    "    if Mutant.keeps(3) { g.h = 4 }",
]


def main():
    found = sites("A.swift", SOURCE)
    said = sorted((str(site).removeprefix("A.swift:") for site in found), key=lambda text: int(text.split(":")[0]))
    failures = []
    for text in sorted(set(EXPECTED) ^ {text for text in said}):
        failures.append(f"{'not found' if text in EXPECTED else 'not expected'}: {text}")
    some = [site for site in found if str(site).startswith("A.swift:5:")]
    some.sort(key=lambda site: ("boundary", "condition", "literal").index(site.kind))
    some += [site for site in found if site.kind == "removed" and site.line == 7]
    lines = changed(SOURCE, list(enumerate(some))).splitlines()
    failures += [f"not compiled in: {line}" for line in COMPILED if line not in lines]
    if len(lines) != len(SOURCE.splitlines()):
        failures.append("the lines are not what they were")
    print(*failures, f"mutants: {len(EXPECTED)} changes, {len(failures)} failures", sep="\n")
    return 1 if failures else 0
