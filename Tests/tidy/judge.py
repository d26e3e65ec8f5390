"""Runs the rules and sets off what is let pass: exceptions and limits that can only shrink."""

import collections

import exceptions
import rules_of_sources, rules_of_words  # noqa: F401  Each registers its rules.
from tree import RULES


def judged(tree, only=None, allowed=None, limits=None):
    """What breaks a rule; what is let pass; and notes of limits that may be lowered."""
    allowed = exceptions.ALLOWED if allowed is None else allowed
    limits = exceptions.LIMITS if limits is None else limits
    broken, passed, notes = [], [], []
    for name, rule in RULES.items():
        if only and name != only:
            continue
        if name == "help-agrees" and tree.program is None:
            continue
        counted, used = collections.defaultdict(list), set()
        for finding in rule(tree):
            if finding.key in allowed.get(name, {}):
                used.add(finding.key)
                passed.append(finding)
            elif finding.key in limits.get(name, {}):
                counted[finding.key].append(finding)
            else:
                broken.append(str(finding))
        for key in sorted(allowed.get(name, {}).keys() - used):
            broken.append(f"Tests/tidy/exceptions.py:1: nothing needs the exception {key} ({name})")
        for key, limit in sorted(limits.get(name, {}).items()):
            found = counted[key]
            passed += found[:limit]
            broken += [f"{finding}; {limit} of {key} are let pass, {len(found)} are there" for finding in found[limit:]]
            if len(found) < limit:
                notes.append(f"{name}: {len(found)} of {key} are left; lower its limit of {limit}")
    return broken, passed, notes


def main(tree, only, name_all):
    broken, passed, notes = judged(tree, only)
    for line in ([f"let pass: {finding}" for finding in passed] if name_all else []) + notes + broken:
        print(line)
    counts = collections.Counter(finding.rule for finding in passed)
    rest = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items())) or "nothing"
    print(f"tidy: {len(broken)} broken; let pass: {rest}")
    return 1 if broken else 0
