"""The register of points: what is promised to somebody at a desk, and how it is tried."""
import functools

POINTS = []


def point(title, quick=False, needs=()):
    """Register a way to see whether something holds. It raises `Broke` if it does not.

    - quick: part of what CI runs.
    - needs: programs without which it is skipped.
    """
    def register(body):
        @functools.wraps(body)
        def run(desk):
            return body(desk)
        run.title, run.quick, run.needs = title, quick, needs
        POINTS.append(run)
        return run
    return register
