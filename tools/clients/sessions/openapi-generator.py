import kontor
from check import FACTS, FILTER, Session, equal, file

session = Session()


def client(key):
    # It waits by itself as long as Retry-After says; this session wants to see the 429.
    return kontor.ApiClient(kontor.Configuration(host=FACTS["url"], api_key={"ApiKey": key}, retries=False))


def employees(key=FACTS["key"]):
    return kontor.EmployeesApi(client(key))


own = client(FACTS["key"])
orders, incidents, documents = kontor.OrdersApi(own), kontor.IncidentsApi(own), kontor.PayrollExportDocumentsApi(own)


def refused(status, code, work):
    """The code of an error, by its type."""
    try:
        work()
    except kontor.ApiException as error:
        assert isinstance(error.data, kontor.ErrorEnvelope), error.data
        equal((error.status, error.data.error.code), (status, kontor.ErrorCode(code)))
    else:
        raise AssertionError(f"no {status}")


def new_employee(email="neu@example.com"):
    return kontor.EmployeeCreate(email=email, first_name="Neu", last_name="Neumann")


def list_filtered():
    page = employees().list_employees(filter=FILTER, created_at_from="2026-01-01T00:00:00Z")
    equal(page.total_elements, 3)
    equal(sorted(item.last_name for item in page.items), ["Schmidt", "Schulz", "Schäfer"])


def second_page():
    page = employees().list_employees(filter=FILTER, sort="lastName", page=2, page_size=2)
    equal((page.page, page.total_pages, len(page.items)), (2, 2, 1))


def get():
    found = employees().get_employee(FACTS["employee"])
    equal((found.id, found.city, found.tenant), (FACTS["employee"], None, FACTS["tenant"]))


def create():
    answer = employees().create_employee_with_http_info(new_employee(), x_tenant_id=FACTS["tenant"])
    equal((answer.status_code, answer.data.email, answer.data.blocked), (201, "neu@example.com", False))


def dry_run():
    probe = new_employee("probe@example.com")
    answer = employees().create_employee_with_http_info(probe, dry_run=True, x_tenant_id=FACTS["tenant"])
    equal((answer.status_code, answer.data.id), (200, "0" * 24))


def update():
    patch = kontor.EmployeePatch(city="Köln", phone_number=None)
    changed = employees().update_employee(FACTS["employee"], patch)
    equal((changed.city, changed.phone_number), ("Köln", None))


def decide():
    decision = kontor.OrderDecision(decision=kontor.HrDecision.APPROVED, comment="Budget geprüft")
    order = orders.decide_order(FACTS["order"], decision)
    equal((order.status, order.hr_history.source), (kontor.OrderStatus.APPROVED, kontor.HrDecisionSource.API_KEY))
    equal((order.contract.list_price, order.products[0].net_amount), ("3599.00", "3024.3697"))


def attach(name):
    return incidents.upload_incident_attachment_with_http_info(FACTS["incident"], (name, file(name)))


def upload():
    answer = attach("beleg.pdf")
    equal((answer.status_code, answer.data.file_name, answer.data.media_type), (201, "beleg.pdf", "application/pdf"))


def download_document():
    equal(bytes(orders.download_order_attachment(FACTS["order"], FACTS["document"])), file("expected-document"))


def download_payroll():
    equal(bytes(documents.download_payroll_export_document(FACTS["payrollDocument"])), file("expected-payroll"))


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
refusals = [
    (400, "UNSUPPORTED_SORT_FIELD", lambda: employees().list_employees(sort="salary")),
    (401, "INVALID_API_KEY", lambda: employees("wrong").get_employee(FACTS["employee"])),
    (403, "TENANT_NOT_IN_SCOPE", lambda: employees().list_employees(x_tenant_id=FACTS["foreignTenant"])),
    (404, "NOT_FOUND", lambda: employees().get_employee("f" * 24)),
    (409, "DUPLICATE_RESOURCE", lambda: employees().create_employee(new_employee(), x_tenant_id=FACTS["tenant"])),
    (413, "PAYLOAD_TOO_LARGE", lambda: attach("zu-gross.pdf")),
    (415, "UNSUPPORTED_MEDIA_TYPE", lambda: attach("kein.pdf")),
    (422, "VALIDATION_ERROR", lambda: employees().list_employees(**backwards)),
    (429, "RATE_LIMIT_EXCEEDED", lambda: employees(FACTS["spentKey"]).get_employee(FACTS["employee"])),
]
for status, code, work in refusals:
    session.step(str(status), lambda: refused(status, code, work))
session.end()
