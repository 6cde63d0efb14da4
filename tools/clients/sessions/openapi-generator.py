import check
import kontor
from check import FACTS, Session, equal, file


def client(key=FACTS["key"]):
    # Of a 429 or a 503 it would wait by itself as long as Retry-After says; this session wants to see them.
    return kontor.ApiClient(kontor.Configuration(host=FACTS["url"], api_key={"ApiKey": key}, retries=False))


own = client()
employees, orders, incidents = kontor.EmployeesApi(own), kontor.OrdersApi(own), kontor.IncidentsApi(own)
documents = kontor.PayrollExportDocumentsApi(own)
tenant = {"x_tenant_id": FACTS["tenant"]}


def list_filtered():
    check.is_filtered(employees.list_employees(filter=check.FILTER, **check.SINCE))


def second_page():
    check.is_second(employees.list_employees(filter=check.FILTER, **check.SECOND_PAGE))


def get():
    check.is_found(employees.get_employee(FACTS["employee"]))


def create():
    answer = employees.create_employee_with_http_info(kontor.EmployeeCreate(**check.NEW), **tenant)
    check.is_created(answer.status_code, answer.data)


def dry_run():
    probe = kontor.EmployeeCreate(**check.PROBE)
    answer = employees.create_employee_with_http_info(probe, dry_run=True, **tenant)
    check.is_probed(answer.status_code, answer.data)


def update():
    check.is_updated(employees.update_employee(FACTS["employee"], kontor.EmployeePatch(**check.PATCH)))


def decide():
    decision = kontor.OrderDecision(decision=kontor.HrDecision.APPROVED, comment=check.COMMENT)
    order = orders.decide_order(FACTS["order"], decision)
    check.is_approved(order, kontor.OrderStatus, kontor.HrDecisionSource)


def attach(name):
    return incidents.upload_incident_attachment_with_http_info(FACTS["incident"], (name, file(name)))


def upload():
    answer = attach("beleg.pdf")
    check.is_stored(answer.status_code, answer.data)


def download_document():
    equal(bytes(orders.download_order_attachment(FACTS["order"], FACTS["document"])), file("expected-document"))


def download_payroll():
    equal(bytes(documents.download_payroll_export_document(FACTS["payrollDocument"])), file("expected-payroll"))


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


def refused(status, code, work):
    """The code of an error, by its type."""
    try:
        work()
    except kontor.ApiException as error:
        assert isinstance(error.data, kontor.ErrorEnvelope), error.data
        equal((error.status, error.data.error.code), (status, kontor.ErrorCode(code)))
    else:
        raise AssertionError(f"no {status}")


def get_with(key):
    return kontor.EmployeesApi(client(key)).get_employee(FACTS["employee"])


refusals = [
    (400, "UNSUPPORTED_SORT_FIELD", lambda: employees.list_employees(sort="salary")),
    (401, "INVALID_API_KEY", lambda: get_with("wrong")),
    (403, "TENANT_NOT_IN_SCOPE", lambda: employees.list_employees(x_tenant_id=FACTS["foreignTenant"])),
    (404, "NOT_FOUND", lambda: employees.get_employee(check.NOBODY)),
    (406, "NOT_ACCEPTABLE", lambda: employees.list_employees(_headers={"Accept": "text/csv"})),
    (409, "DUPLICATE_RESOURCE", create),
    (413, "PAYLOAD_TOO_LARGE", lambda: attach("zu-gross.pdf")),
    (415, "UNSUPPORTED_MEDIA_TYPE", lambda: attach("kein.pdf")),
    (422, "VALIDATION_ERROR", lambda: employees.list_employees(**check.BACKWARDS)),
    (429, "RATE_LIMIT_EXCEEDED", lambda: get_with(FACTS["spentKey"])),
]
for status, code, work in refusals:
    session.step(str(status), lambda: refused(status, code, work))
for status, code in check.BROKEN_FILES.items():
    document = FACTS["brokenFiles"][str(status)]
    session.step(str(status), lambda: refused(status, code, lambda: documents.download_payroll_export_document(document)))
session.end()
