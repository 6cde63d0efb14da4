"""What the sessions in Python share: what is asked for, what must come back, and how steps are run."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

FACTS = json.loads(Path("facts.json").read_text())
FILTER = "lastName STARTS_WITH 'sch'"
# `isoformat()` writes +00:00, which the service rejects: write Z instead.
SINCE = {"created_at_from": datetime(2026, 1, 1, tzinfo=UTC).isoformat().replace("+00:00", "Z")}
SECOND_PAGE = {"sort": "lastName", "page": 2, "page_size": 2}
BACKWARDS = {"created_at_from": "2026-09-02T00:00:00Z", "created_at_to": "2026-09-01T00:00:00Z"}
NEW = {"email": "neu@example.com", "first_name": "Neu", "last_name": "Neumann"}
PROBE = {**NEW, "email": "probe@example.com"}
# What is left out stays as it is, None clears.
PATCH = {"city": "Köln", "phone_number": None}
COMMENT = "Budget geprüft"
NOBODY = "f" * 24

# What no client can bring about: the service has files that are broken in these ways.
BROKEN_FILES = {
    500: "INTERNAL_SERVER_ERROR",
    502: "BAD_GATEWAY",
    503: "SERVICE_UNAVAILABLE",
    504: "GATEWAY_TIMEOUT",
}


def new_key():
    """A write that is repeated with its key is stored once."""
    return {"idempotency_key": str(uuid4())}


def file(name):
    return Path(name).read_bytes()


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


def is_filtered(page):
    equal(page.total_elements, 3)
    equal(sorted(item.last_name for item in page.items), ["Schmidt", "Schulz", "Schäfer"])


def is_second(page):
    equal((page.page, page.total_pages, len(page.items)), (2, 2, 1))


def is_found(employee):
    equal((employee.id, employee.city, employee.tenant), (FACTS["employee"], None, FACTS["tenant"]))


def is_created(status, employee):
    equal((status, employee.email, employee.blocked), (201, "neu@example.com", False))


def is_probed(status, employee):
    equal((status, employee.id), (200, "0" * 24))


def is_updated(employee):
    equal((employee.city, employee.phone_number, employee.street), ("Köln", None, "Lange Straße 12"))


def is_approved(order, status, source):
    """Enums and amounts of money: the members of the enums are those of the client."""
    equal((order.status, order.hr_history.source), (status.APPROVED, source.API_KEY))
    equal((order.contract.list_price, order.products[0].net_amount), ("3599.00", "3024.3697"))


def is_stored(status, attachment):
    equal((status, attachment.file_name, attachment.media_type), (201, "beleg.pdf", "application/pdf"))


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
