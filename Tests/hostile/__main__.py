"""script/hostile: everything around the program is hostile, and nothing said is lost, doubled, cut short or hushed up.

Servers, agents, folders and signals that do their worst at a chosen moment; the real program, judged by what the server
really heard, what the agent really got, and what the ledger says. Standard library only.
"""

import argparse, concurrent.futures, contextlib, os, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "desk"), os.path.join(os.path.dirname(HERE), "servers")]
import agents, crafted, cuts, frames, links, places, planted, repositories, signals, web  # noqa: E402,F401  Each registers its cases.
import live, pairs  # noqa: E402
from case import CASES, run  # noqa: E402
from place import ROOT  # noqa: E402


def program():
    for build in ("release", "debug"):
        path = os.path.join(ROOT, ".build", build, "parley")
        if os.access(path, os.X_OK):
            return path
    sys.exit("hostile: there is no built program: run script/build first, or name one with --program.")


def main():
    parser = argparse.ArgumentParser(prog="script/hostile", description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="all cases, not only the quick ones")
    parser.add_argument("--only", default="", help="the cases with this in their title, quick or not")
    parser.add_argument("--seeds", type=int, default=0, metavar="N", help="instead: N cases of two faults at once")
    parser.add_argument("--first-seed", type=int, default=1, metavar="N")
    parser.add_argument("--program", help="the program to try; else the newest build here, release before debug")
    parser.add_argument(
        "--jobs",
        type=int,
        default=4 * (os.cpu_count() or 1),
        help="cases at once; four for each processor, " "because most of their time is waiting",
    )
    parser.add_argument("--patience", type=float, default=1, help="every limit of time, times this")
    parser.add_argument(
        "--sanitized", action="store_true", help="the program is built with a sanitizer: memory has no limit"
    )
    parser.add_argument("--keep", action="store_true", help="leave the folders of the cases there")
    parser.add_argument("--list", action="store_true", help="only name the cases")
    parser.add_argument(
        "--self-test", action="store_true", help="try the judge: doubles of the program that lie are caught"
    )
    options = parser.parse_args()
    if options.self_test:
        import selftest

        sys.exit(selftest.main(options))
    cases = (
        list(pairs.cases(options.first_seed, options.seeds))
        if options.seeds
        else [case for case in CASES if options.only in case.title and (options.all or options.only or case.quick)]
    )
    if options.seeds:
        cases = [case for case in cases if options.only in case.title]
    if options.list:
        for case in cases:
            print(("quick  " if case.quick else "       ") + case.title)
        print(f"{len(cases)} cases, {sum(case.quick for case in cases)} of them quick")
        return
    options.program = os.path.abspath(options.program or program())
    try:
        sys.exit(try_all(cases, options))
    finally:
        planted.forget()


@contextlib.contextmanager
def on_interrupt(pool):
    """Ctrl-C waits for those that run, and begins no other."""
    try:
        yield
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)
        sys.exit(130)


def try_all(cases, options):
    loop, start, families = live.Loop(), time.monotonic(), {}
    # Long ones first, so that none is left over at the end.
    cases = sorted(cases, key=lambda case: -case.limit)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, on_interrupt(pool):
        waiting = {pool.submit(run, case, options, loop): case for case in cases}
        for done in concurrent.futures.as_completed(waiting):
            case = waiting[done]
            kind, seconds, peak, reason = done.result()
            counts = families.setdefault(case.family, [0, 0, 0.0, 0, {}])
            counts[1 if kind else 0] += 1
            counts[2], counts[3] = counts[2] + seconds, max(counts[3], peak)
            if kind:
                counts[4][kind] = counts[4].get(kind, 0) + 1
            print(
                f"{'broke' if kind else 'held ':6}{case.title} ({seconds:.1f} s, {peak / 1024:.0f} MiB)"
                + (f"\n      {kind}: {reason}" if kind else ""),
                flush=True,
            )
    print()
    for family, (held, broke, seconds, peak, kinds) in sorted(families.items()):
        words = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        print(
            f"{family:20}{held:4} held {broke:4} broke   {seconds / (held + broke):5.1f} s each, "
            f"at most {peak / 1024:4.0f} MiB" + (f"   {words}" if words else "")
        )
    held, broke = (sum(counts[place] for counts in families.values()) for place in (0, 1))
    print(f"{held} held, {broke} broke, in {time.monotonic() - start:.0f} s")
    return 1 if broke or not held else 0


if __name__ == "__main__":
    main()
