"""The register of points: what is promised to somebody at a desk, and how it is tried."""
import functools

POINTS = []


def point(title, quick=False, needs=(), of_the_others=False):
    """Register a way to see whether something holds. It raises `Broke` if it does not.

    - quick: part of what CI runs.
    - needs: programs without which it is skipped.
    - of_the_others: looks at what the other points left, and is tried after them.
    """
    def register(body):
        @functools.wraps(body)
        def run(desk):
            return body(desk)
        run.title, run.quick, run.needs, run.of_the_others = title, quick, needs, of_the_others
        POINTS.append(run)
        return run
    return register
