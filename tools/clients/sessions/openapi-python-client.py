from io import BytesIO

from check import FACTS, FILTER, Session, equal, file
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

session = Session()


def client(key=FACTS["key"]):
    return AuthenticatedClient(base_url=FACTS["url"], token=key, prefix="", auth_header_name="X-API-Key")


own = client()
tenant = {"x_tenant_id": FACTS["tenant"]}


def refused(status, code, answer):
    """The code of an error, by its type."""
    assert isinstance(answer.parsed, ErrorEnvelope), answer.content
    equal((answer.status_code.value, answer.parsed.error.code), (status, ErrorCode(code)))


def new_employee(email="neu@example.com"):
    return EmployeeCreate(email=email, first_name="Neu", last_name="Neumann")


def list_filtered():
    page = list_employees.sync(client=own, filter_=FILTER, created_at_from="2026-01-01T00:00:00Z")
    equal(page.total_elements, 3)
    equal(sorted(item.last_name for item in page.items), ["Schmidt", "Schulz", "Schäfer"])


def second_page():
    page = list_employees.sync(client=own, filter_=FILTER, sort="lastName", page=2, page_size=2)
    equal((page.page, page.total_pages, len(page.items)), (2, 2, 1))


def get():
    found = get_employee.sync(FACTS["employee"], client=own)
    equal((found.id, found.city, found.tenant), (FACTS["employee"], None, FACTS["tenant"]))


def create():
    answer = create_employee.sync_detailed(client=own, body=new_employee(), **tenant)
    equal((answer.status_code.value, answer.parsed.email, answer.parsed.blocked), (201, "neu@example.com", False))


def dry_run():
    answer = create_employee.sync_detailed(client=own, body=new_employee("probe@example.com"), dry_run=True, **tenant)
    equal((answer.status_code.value, answer.parsed.id), (200, "0" * 24))


def update():
    patch = EmployeePatch(city="Köln", phone_number=None)
    changed = update_employee.sync(FACTS["employee"], client=own, body=patch)
    equal((changed.city, changed.phone_number), ("Köln", None))


def decide():
    decision = OrderDecision(decision=HrDecision.APPROVED, comment="Budget geprüft")
    order = decide_order.sync(FACTS["order"], client=own, body=decision)
    equal((order.status, order.hr_history.source), (OrderStatus.APPROVED, HrDecisionSource.API_KEY))
    equal((order.contract.list_price, order.products[0].net_amount), ("3599.00", "3024.3697"))


def attach(name):
    body = UploadIncidentAttachmentBody(file=File(payload=BytesIO(file(name)), file_name=name))
    return upload_incident_attachment.sync_detailed(FACTS["incident"], client=own, body=body)


def upload():
    answer = attach("beleg.pdf")
    found = answer.parsed
    equal((answer.status_code.value, found.file_name, found.media_type), (201, "beleg.pdf", "application/pdf"))


def download_document():
    found = download_order_attachment.sync(FACTS["order"], FACTS["document"], client=own)
    equal(found.payload.read(), file("expected-document"))


def download_payroll():
    answer = download_payroll_export_document.sync_detailed(FACTS["payrollDocument"], client=own)
    equal(answer.content, file("expected-payroll"))


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

backwards = {"created_at_from": "2026-09-02T00:00:00Z", "created_at_to": "2026-09-01T00:00:00Z"}


def get_with(key, employee=FACTS["employee"]):
    return get_employee.sync_detailed(employee, client=client(key))


refusals = [
    (400, "UNSUPPORTED_SORT_FIELD", lambda: list_employees.sync_detailed(client=own, sort="salary")),
    (401, "INVALID_API_KEY", lambda: get_with("wrong")),
    (403, "TENANT_NOT_IN_SCOPE", lambda: list_employees.sync_detailed(client=own, x_tenant_id=FACTS["foreignTenant"])),
    (404, "NOT_FOUND", lambda: get_with(FACTS["key"], "f" * 24)),
    (409, "DUPLICATE_RESOURCE", lambda: create_employee.sync_detailed(client=own, body=new_employee(), **tenant)),
    (413, "PAYLOAD_TOO_LARGE", lambda: attach("zu-gross.pdf")),
    (415, "UNSUPPORTED_MEDIA_TYPE", lambda: attach("kein.pdf")),
    (422, "VALIDATION_ERROR", lambda: list_employees.sync_detailed(client=own, **backwards)),
    (429, "RATE_LIMIT_EXCEEDED", lambda: get_with(FACTS["spentKey"])),
]
for status, code, work in refusals:
    session.step(str(status), lambda: refused(status, code, work()))
session.end()
