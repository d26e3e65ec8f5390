"""script/mutants: changes random places of a target, one at a time, and prints which changes its tests do not notice.

All changes are compiled in at once, in a copy of the package below .build-mutants; a number in the environment switches one
on. What is compiled only on other systems stays as it is. Each test file is first run without a change, to see which changes it
reaches: only those that reach a change are tried with it. A change that does not compile is not counted, and another is drawn.
"""

import argparse, concurrent.futures, os, random, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import selftest  # noqa: E402
from explained import EXPLAINED  # noqa: E402
from package import Package  # noqa: E402
from suites import parts, verdict  # noqa: E402

TARGETS = ("VoiceLanguage", "VoiceCore", "VoiceRecording", "VoiceReplay", "VoiceConverse")


def name(site):
    """A change without its line, which is another after every edit."""
    return re.sub(r":\d+:", ":", str(site), count=1)


def survivors_of(path):
    """The changes that an earlier run has printed as survivors."""
    with open(path) as lines:
        found = [re.match(r"survived \d+: (.*)", line) for line in lines]
    return {name(match[1]) for match in found if match}


def draw(target, every, options):
    """More than are wanted, of each kind as many: some will not compile."""
    chance = random.Random(f"{options.seed} {target}")
    kinds = {}
    for site in every:
        if options.only in str(site):
            kinds.setdefault(site.kind, []).append(site)
    for some in kinds.values():
        chance.shuffle(some)
    drawn = []
    wanted = options.count and 3 * options.count // 2 + 5
    while len(drawn) < wanted and any(kinds.values()):
        kind = chance.choice(sorted(kind for kind, some in kinds.items() if some))
        drawn.append(kinds[kind].pop())
    return drawn


def measured(target, numbered, package, options):
    """The tests of a target, each run once without a change."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        every = parts(target, package.environment, pool)
    print(f"{target}: {len(every)} parts of its tests take {sum(part.seconds for part in every):.0f} s", flush=True)
    if numbered and not any(part.reached for part in every):
        sys.exit("mutants: no test reaches any change, so the changes are not in what was built")
    return every


def judge(target, numbered, every, package, options):
    """Try the changes of a target. The result: how many were tried, how many survived."""
    survivors, explained, hung = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = pool.map(lambda pair: verdict(pair[0], every, package.environment), numbered)
        for (_, site), (said, reaching) in zip(numbered, verdicts):
            hung += said == "hung"
            if said == "passed":
                reason = EXPLAINED.get(name(site))
                explained += bool(reason)
                survivors += not reason
                print(f"explained: {site} ({reason})" if reason else f"survived {reaching}: {site}", flush=True)
            elif options.all:
                print(f"{said}: {site}", flush=True)
    tried = len(numbered)
    print(
        f"{target}: {tried} tried, {tried - survivors - explained} noticed ({hung} by hanging), {survivors} survived, "
        f"{explained} explained",
        flush=True,
    )
    return tried, survivors


def parsed():
    parser = argparse.ArgumentParser(prog="script/mutants", description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=10, metavar="N", help="how many changes of each target")
    parser.add_argument("--target", choices=TARGETS, action="append", help="this one alone; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same changes of the same sources")
    parser.add_argument("--again", metavar="FILE", help="besides, those that this output of an earlier run lists as survivors")
    parser.add_argument("--only", default="", help="changes with this in what is printed of them")
    parser.add_argument("--at-most", type=float, default=15, metavar="PERCENT", help="how many may survive")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many are tried at a time")
    parser.add_argument("--all", action="store_true", help="print also what was noticed")
    parser.add_argument("--list", action="store_true", help="only print what would be changed")
    parser.add_argument("--self-test", action="store_true", help="try the changes on a few lines of Swift")
    return parser.parse_args()


def main():
    options = parsed()
    if options.self_test:
        sys.exit(selftest.main())
    targets = options.target or list(TARGETS)
    package = Package(targets)
    known = survivors_of(options.again) if options.again else set()
    drawn, number = {}, 0
    for target in targets:
        every = package.sites(target)
        print(f"{target}: {len(every)} places that can be changed", flush=True)
        again = [site for site in every if name(site) in known]
        fresh = [site for site in draw(target, every, options) if name(site) not in known]
        drawn[target] = list(enumerate(again + fresh, start=number))
        number += len(drawn[target])
    if options.list:
        print(*[site for numbered in drawn.values() for _, site in numbered], sep="\n")
        return
    built = package.build(drawn)
    tried = survived = left = 0
    for target, numbered in built.items():
        print(f"{target}: {len(numbered)} of {len(drawn[target])} changes compile", flush=True)
        every = measured(target, numbered, package, options)
        again = [(number, site) for number, site in numbered if name(site) in known]
        if again:
            print(f"{target}: again", flush=True)
            left += judge(target, again, every, package, options)[1]
        counts = judge(target, numbered[len(again) :][: options.count], every, package, options)
        tried, survived = tried + counts[0], survived + counts[1]
    if options.again:
        print(f"mutants: {left} of the earlier survivors survive again")
    percent = 100 * survived / max(1, tried)
    if tried:
        print(f"mutants: {tried} tried, {survived} survived ({percent:.0f} %, at most {options.at_most:.0f} % may)")
    sys.exit(1 if left or percent > options.at_most else 0)


main()
