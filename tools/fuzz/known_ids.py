"""Hooks of Schemathesis: every second well-formed identifier becomes one that exists, so that requests find something."""

import json
import os
import re
from itertools import count

import schemathesis

# Identifiers by the first segment of a path, and attachments by their order; see tools/fuzz.ts.
KNOWN = json.loads(os.environ["KONTOR_FUZZ_KNOWN"])
FAMILY_OF_FIELD = {"employeeId": "employees", "orderId": "orders", "divisionId": "divisions", "parentId": "divisions"}
IDENTIFIER = re.compile(r"[0-9a-fA-F]{24}")
calls = count()


def exists(value):
    return isinstance(value, str) and IDENTIFIER.fullmatch(value) is not None


@schemathesis.hook
def before_call(context, case, kwargs):
    turn, rest = divmod(next(calls), 2)
    if rest:
        return
    replace_in_path(case, turn)
    if isinstance(case.body, dict):
        for field, family in FAMILY_OF_FIELD.items():
            if exists(case.body.get(field)) and KNOWN.get(family):
                case.body[field] = pick(KNOWN[family], turn)


def replace_in_path(case, turn):
    family = case.path.split("/")[1]
    parameters = case.path_parameters or {}
    if not exists(parameters.get("id")) or not KNOWN.get(family):
        return
    if "attachmentId" in parameters and KNOWN["attachments"]:
        parameters["id"], parameters["attachmentId"] = pick(KNOWN["attachments"], turn)
    else:
        parameters["id"] = pick(KNOWN[family], turn)


def pick(values, turn):
    return values[turn % len(values)]
