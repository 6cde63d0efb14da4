from io import BytesIO

import check
from check import FACTS, Session, equal, file
from kontor import AuthenticatedClient
from kontor.api.employees import create_employee, get_employee, list_employees, update_employee
from kontor.api.incidents import upload_incident_attachment
from kontor.api.orders import decide_order, download_order_attachment
from kontor.api.payroll_export_documents import download_payroll_export_document
from kontor.models import (
    EmployeeCreate,
    EmployeePatch,
    ErrorCode,
    ErrorEnvelope,
    HrDecision,
    HrDecisionSource,
    OrderDecision,
    OrderStatus,
    UploadIncidentAttachmentBody,
)
from kontor.types import File


def client(key=FACTS["key"], **options):
    return AuthenticatedClient(base_url=FACTS["url"], token=key, prefix="", auth_header_name="X-API-Key", **options)


own = client()
tenant = {"x_tenant_id": FACTS["tenant"]}


def list_with(client=own, **query):
    return list_employees.sync_detailed(client=client, **query)


def get_with(key, employee=FACTS["employee"]):
    return get_employee.sync_detailed(employee, client=client(key))


def list_filtered():
    check.is_filtered(list_with(filter_=check.FILTER, **check.SINCE).parsed)


def second_page():
    check.is_second(list_with(filter_=check.FILTER, **check.SECOND_PAGE).parsed)


def get():
    check.is_found(get_with(FACTS["key"]).parsed)


def create_with(body, **query):
    return create_employee.sync_detailed(client=own, body=EmployeeCreate(**body), **tenant, **query)


def create():
    key = check.new_key()
    answer = create_with(check.NEW, **key)
    check.is_created(answer.status_code.value, answer.parsed)
    repeated = create_with(check.NEW, **key)
    equal((repeated.headers["Idempotency-Replayed"], repeated.parsed), ("true", answer.parsed))


def dry_run():
    answer = create_with(check.PROBE, dry_run=True)
    check.is_probed(answer.status_code.value, answer.parsed)


def update():
    patch = EmployeePatch(**check.PATCH)
    check.is_updated(update_employee.sync(FACTS["employee"], client=own, body=patch))


def decide():
    decision = OrderDecision(decision=HrDecision.APPROVED, comment=check.COMMENT)
    order = decide_order.sync(FACTS["order"], client=own, body=decision, **check.new_key())
    check.is_approved(order, OrderStatus, HrDecisionSource)


def attach(name):
    body = UploadIncidentAttachmentBody(file=File(payload=BytesIO(file(name)), file_name=name))
    return upload_incident_attachment.sync_detailed(FACTS["incident"], client=own, body=body, **check.new_key())


def upload():
    answer = attach("beleg.pdf")
    check.is_stored(answer.status_code.value, answer.parsed)


def download_document():
    found = download_order_attachment.sync(FACTS["order"], FACTS["document"], client=own)
    equal(found.payload.read(), file("expected-document"))


def download(document):
    return download_payroll_export_document.sync_detailed(document, client=own)


def download_payroll():
    equal(download(FACTS["payrollDocument"]).parsed.payload.read(), file("expected-payroll"))


session = Session()
session.step("list", list_filtered)
session.step("page", second_page)
session.step("get", get)
session.step("create", create)
session.step("dry run", dry_run)
session.step("update", update)
session.step("decide", decide)
session.step("upload", upload)
session.step("download document", download_document)
session.step("download payroll", download_payroll)


def refused(status, code, answer):
    """The code of an error, by its type."""
    assert isinstance(answer.parsed, ErrorEnvelope), answer.content
    equal((answer.status_code.value, answer.parsed.error.code), (status, ErrorCode(code)))


refusals = [
    (400, "UNSUPPORTED_SORT_FIELD", lambda: list_with(sort="salary")),
    (401, "INVALID_API_KEY", lambda: get_with("wrong")),
    (403, "TENANT_NOT_IN_SCOPE", lambda: list_with(x_tenant_id=FACTS["foreignTenant"])),
    (404, "NOT_FOUND", lambda: get_with(FACTS["key"], check.NOBODY)),
    (406, "NOT_ACCEPTABLE", lambda: list_with(client=client(headers={"Accept": "text/csv"}))),
    (409, "DUPLICATE_RESOURCE", lambda: create_with(check.NEW)),
    (413, "PAYLOAD_TOO_LARGE", lambda: attach("zu-gross.pdf")),
    (415, "UNSUPPORTED_MEDIA_TYPE", lambda: attach("kein.pdf")),
    (422, "VALIDATION_ERROR", lambda: list_with(**check.BACKWARDS)),
    (429, "RATE_LIMIT_EXCEEDED", lambda: get_with(FACTS["spentKey"])),
]
for status, code, work in refusals:
    session.step(str(status), lambda: refused(status, code, work()))
for status, code in check.BROKEN_FILES.items():
    session.step(str(status), lambda: refused(status, code, download(FACTS["brokenFiles"][str(status)])))
session.end()
