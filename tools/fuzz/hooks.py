"""Hooks of Schemathesis: three of four requests get identifiers, tenants, filters and files that the service can do something with."""

import json
import os
import re
from itertools import count

import schemathesis

# What exists: see Known in service.ts.
KNOWN = json.loads(os.environ["KONTOR_FUZZ_KNOWN"])
FAMILY_OF_FIELD = {"divisionId": "divisions", "parentId": "divisions"}
PLACED = ["createEmployee", "createDivision"]
IDENTIFIER = re.compile(r"[0-9a-fA-F]{24}")
FILTERS = ["{} IS NOT NULL", "{} IS NULL OR id > '7'", "({} IS NULL AND id != '') OR createdAt >= '2026-01-01T00:00:00Z'"]
calls = count()


@schemathesis.hook
def before_call(context, case, kwargs):
    turn, rest = divmod(next(calls), 4)
    # A case without the key counts as another one once it is touched, and gets the key.
    if rest == 0 or getattr(case.meta.phase.data, "parameter", None) == "X-API-Key":
        return
    turn = 3 * turn + rest
    operation = case.operation.definition.raw["operationId"]
    if case.meta.phase.name.value == "stateful":
        # What a link leads to is not replaced by something else, and lists are not empty.
        case.query = {name: value for name, value in (case.query or {}).items() if name == "dryRun"}
    else:
        set_path(case, operation, turn)
    if isinstance(case.body, dict):
        set_body(case, operation, turn)
    set_tenant(case, operation, turn)
    set_query(case, turn)


def is_identifier(value):
    return isinstance(value, str) and IDENTIFIER.fullmatch(value) is not None


def pick(values, turn):
    return values[turn % len(values)]


def set_path(case, operation, turn):
    parameters = dict(case.path_parameters or {})
    if not is_identifier(parameters.get("id")):
        return
    if "attachmentId" in parameters:
        parameters["id"], parameters["attachmentId"] = pick(KNOWN["attachments"], turn)
    elif operation == "uploadIncidentAttachment":
        parameters["id"] = pick(KNOWN["completed"], turn)
    else:
        parameters["id"] = pick(KNOWN[case.path.split("/")[1]], turn)
    case.path_parameters = parameters


def set_body(case, operation, turn):
    body = dict(case.body)
    for field, family in FAMILY_OF_FIELD.items():
        if is_identifier(body.get(field)):
            body[field] = pick(KNOWN[family], turn)
    if operation == "createIncident" and is_identifier(body.get("employeeId")):
        order, body["employeeId"] = pick(KNOWN["reporters"], turn)
        if is_identifier(body.get("orderId")):
            body["orderId"] = order
    if isinstance(body.get("file"), bytes):
        body["file"] = b"%PDF-1.7\n" + body["file"]
    case.body = body


def set_tenant(case, operation, turn):
    """Leaves the tenant out mostly, but gives it to a create that nothing else places."""
    headers = case.headers
    if headers is None:
        return
    name = next((name for name in headers if name.lower() == "x-tenant-id"), None)
    if name is not None and not is_identifier(headers[name]):
        return
    placed = isinstance(case.body, dict) and any(is_identifier(case.body.get(field)) for field in FAMILY_OF_FIELD)
    if (operation in PLACED and not placed) or (name is not None and turn % 4 == 0):
        headers[name or "X-Tenant-ID"] = pick(KNOWN["tenants"], turn // 4)
    elif name is not None:
        del headers[name]


def set_query(case, turn):
    fields = KNOWN["fields"].get(case.path.strip("/"))
    query = dict(case.query or {})
    if fields and isinstance(query.get("filter"), str):
        query["filter"] = pick(FILTERS, turn).format(pick(fields, turn // 3))
    if fields and isinstance(query.get("sort"), str):
        query["sort"] = pick(["", "-"], turn) + pick(fields, turn // 2)
    case.query = query
