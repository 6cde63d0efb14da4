"""Hooks of Schemathesis: three of four requests get identifiers, tenants, filters and files that the service can do something with."""

import json
import os
import re
from itertools import count

import schemathesis

# What exists, by the first segment of a path or by the operation: see Known in service.ts and fill.ts.
KNOWN = json.loads(os.environ["KONTOR_FUZZ_KNOWN"])
FAMILY_OF_FIELD = {"divisionId": "divisions", "parentId": "divisions"}
PLACED = ["createEmployee", "createDivision"]
IDENTIFIER = re.compile(r"[0-9a-fA-F]{24}")
KEY_IDENTIFIER = re.compile(r"[0-9A-Za-z]{12}")
CREDENTIAL = os.environ["KONTOR_FUZZ_CREDENTIAL"]
COOKIE = dict([os.environ["KONTOR_FUZZ_COOKIE"].split("=", 1)] if os.environ["KONTOR_FUZZ_COOKIE"] else [])
FILTERS = ["{} IS NOT NULL", "{} IS NULL OR id > '7'", "({} IS NULL AND id != '') OR createdAt >= '2026-01-01T00:00:00Z'"]
PLACE = re.compile(r"([^/]+)/\{(\w+)\}")
calls = count()


@schemathesis.hook
def before_call(context, case, kwargs):
    turn, rest = divmod(next(calls), 4)
    # A case without the credential counts as another one once it is touched, and gets it.
    if getattr(case.meta.phase.data, "parameter", None) == CREDENTIAL:
        return
    if COOKIE:
        case.cookies = cookie_of(case.operation.definition.raw["operationId"], turn)
    if rest == 0:
        return
    turn = 3 * turn + rest
    operation = case.operation.definition.raw["operationId"]
    if case.meta.phase.name.value == "stateful":
        # What a link leads to is not replaced by something else, and lists are not empty.
        case.query = {name: value for name, value in (case.query or {}).items() if name == "dryRun"}
        if "organizationId" in (case.path_parameters or {}):
            case.path_parameters = {**case.path_parameters, "organizationId": KNOWN["organizations"][0]}
    else:
        set_path(case, operation, turn)
    if isinstance(case.body, dict):
        set_body(case, operation, turn)
    set_tenant(case, operation, turn)
    set_query(case, operation, turn)


def cookie_of(operation, turn):
    """A sign-in and a confirmation replace the secret of their session, so each has sessions of its own."""
    secrets = KNOWN.get("secrets", {}).get(operation)
    return {name: pick(secrets, turn) if secrets else secret for name, secret in COOKIE.items()}


def is_identifier(value):
    return isinstance(value, str) and IDENTIFIER.fullmatch(value) is not None


def pick(values, turn):
    return values[turn % len(values)]


def set_path(case, operation, turn):
    parameters = dict(case.path_parameters or {})
    families = {name: family for family, name in PLACE.findall(case.path)}
    if not all(has_form(families[name], value) for name, value in parameters.items()):
        return
    if "attachmentId" in parameters:
        parameters["id"], parameters["attachmentId"] = pick(KNOWN["attachments"], turn)
    else:
        for name in parameters:
            known = (KNOWN.get(operation) if name == "id" else None) or KNOWN.get(families[name])
            if known:
                parameters[name] = pick(known, turn)
    case.path_parameters = parameters


def has_form(family, value):
    form = KEY_IDENTIFIER if family == "api-keys" else IDENTIFIER
    return isinstance(value, str) and form.fullmatch(value) is not None


def set_body(case, operation, turn):
    body = dict(case.body)
    for field, family in FAMILY_OF_FIELD.items():
        if is_identifier(body.get(field)):
            body[field] = pick(KNOWN[family], turn)
    if operation == "assignEmployee" and is_identifier(body.get("tenant")):
        body = {"tenant": pick(KNOWN["tenants"], turn)}
    if operation == "createOrder":
        set_order(body, turn)
    if operation in ("createUser", "updateUser", "createPortalUser", "updatePortalUser"):
        set_user(body, turn)
    if operation == "signIn":
        body = {"email": pick(KNOWN["signIns"], turn), "password": KNOWN["password"]}
    if operation == "acceptInvitation" and isinstance(body.get("secret"), str):
        body["secret"] = pick(KNOWN["links"], turn)
    if operation == "confirmPassword":
        body = {"password": KNOWN["password"]}
    if operation == "createIncident" and is_identifier(body.get("employeeId")):
        order, body["employeeId"] = pick(KNOWN["reporters"], turn)
        if is_identifier(body.get("orderId")):
            body["orderId"] = order
    if operation in ("createApiKey", "createPortalApiKey", "previewPortalApiKeyScope"):
        set_grants(body, turn)
    if isinstance(body.get("file"), bytes):
        body["file"] = b"%PDF-1.7\n" + body["file"]
    case.body = body


def set_grants(body, turn):
    """A key sees either everything, or a tenant that there is; and does not end before it begins."""
    body.pop("grants", None)
    body.pop("wholeOrganization", None)
    body.update({"wholeOrganization": True} if turn % 2 else {"grants": [{"tenant": pick(KNOWN["tenants"], turn), "divisions": None}]})
    if isinstance(body.get("expiresAt"), str):
        body["expiresAt"] = "2099-12-31T00:00:00Z"


def set_user(body, turn):
    """An email that nobody has, and tenants of HR where that is permitted."""
    if isinstance(body.get("email"), str):
        body["email"] = f"fuzz.{os.getpid()}.{turn}@example.com"
    permissions = body.get("permissions")
    if isinstance(permissions, list) and "HR" in permissions:
        body["hrTenants"] = [pick(KNOWN["tenants"], turn)] if turn % 2 else None
    else:
        body.pop("hrTenants", None)


def set_order(body, turn):
    """Somebody who orders, names that no order has, a day that there is, and no contract whose amounts would have to go together."""
    if is_identifier(body.get("employeeId")):
        body["employeeId"] = pick(KNOWN["employees"], turn)
    for name in ("orderNumber", "externalId"):
        if isinstance(body.get(name), str):
            body[name] = f"A-{os.getpid()}-{turn}"
    if isinstance(body.get("submittedAt"), str):
        body["submittedAt"] = "2026-09-02T08:15:30Z"
    body.pop("contract", None)


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


def set_query(case, operation, turn):
    fields = KNOWN["fields"].get(case.path.strip("/"))
    query = dict(case.query or {})
    if fields and isinstance(query.get("filter"), str):
        query["filter"] = pick(FILTERS, turn).format(pick(fields, turn // 3))
    if fields and isinstance(query.get("sort"), str):
        query["sort"] = pick(["", "-"], turn) + pick(fields, turn // 2)
    if operation == "tryDecisionRule" and turn % 2:
        query["approveUpTo"] = "80.00"
        query.pop("rejectAbove", None)
    case.query = query
