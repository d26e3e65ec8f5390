"""script/tidy: what every file of the repository must hold to. exceptions.py has what is let pass."""

import argparse, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import judge, selftest  # noqa: E402
from tree import RULES, Tree  # noqa: E402


def help_of(program):
    dumped = subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True, text=True)
    return json.loads(dumped.stdout)


def main():
    parser = argparse.ArgumentParser(prog="script/tidy", description=__doc__)
    parser.add_argument("--program", help="a built program: README must agree with its --help, too")
    parser.add_argument("--only", help="this rule alone", choices=sorted(RULES))
    parser.add_argument("--all", action="store_true", help="name also what exceptions.py lets pass")
    parser.add_argument("--self-test", action="store_true", help="try the rules on small trees that break them")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(selftest.main())
    tree = Tree.of_repository(help_of(options.program) if options.program else None)
    sys.exit(judge.main(tree, options.only, options.all))


main()
