"""What the sessions in Python share."""

import json
import sys
from pathlib import Path

FACTS = json.loads(Path("facts.json").read_text())
FILTER = "lastName STARTS_WITH 'sch'"


def file(name):
    return Path(name).read_bytes()


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


class Session:
    """Runs steps and says how each went; the session goes on in any case."""

    failed = False

    def step(self, name, work):
        try:
            work()
            print(f"ok {name}")
        except Exception as error:
            print(f"failed {name}: {type(error).__name__} {error}")
            self.failed = True

    def end(self):
        sys.exit(1 if self.failed else 0)
