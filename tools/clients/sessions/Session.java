import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import kontor.ApiClient;
import kontor.ApiException;
import kontor.api.EmployeesApi;
import kontor.api.IncidentsApi;
import kontor.api.OrdersApi;
import kontor.api.PayrollExportDocumentsApi;
import kontor.model.EmployeeCreate;
import kontor.model.EmployeePatch;
import kontor.model.ErrorCode;
import kontor.model.ErrorEnvelope;
import kontor.model.HrDecision;
import kontor.model.HrDecisionSource;
import kontor.model.OrderDecision;
import kontor.model.OrderStatus;

public class Session {
  static final JsonNode FACTS = read();
  static boolean failed = false;

  static JsonNode read() {
    try {
      return new ObjectMapper().readTree(new File("facts.json"));
    } catch (Exception e) {
      throw new RuntimeException(e);
    }
  }

  static String fact(String name) {
    return FACTS.get(name).asText();
  }

  static ApiClient as(String key) {
    return with(request -> request.header("X-API-Key", key));
  }

  static ApiClient with(Consumer<HttpRequest.Builder> headers) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(fact("url"));
    client.setRequestInterceptor(headers);
    return client;
  }

  /** Runs a step and says how it went; the session goes on in any case. */
  static void step(String name, Callable<Object> work) {
    try {
      work.call();
      System.out.println("ok " + name);
    } catch (Exception | AssertionError e) {
      System.out.println("failed " + name + ": " + e);
      failed = true;
    }
  }

  static Object equal(List<?> actual, List<?> expected) {
    if (!actual.equals(expected)) throw new AssertionError(actual + " instead of " + expected);
    return null;
  }

  static Object equalFile(File actual, String expected) throws Exception {
    if (Files.mismatch(actual.toPath(), Path.of(expected)) != -1) throw new AssertionError("other bytes than " + expected);
    return null;
  }

  /** The code of an error, by its type. */
  static Object refused(int status, ErrorCode code, Callable<Object> work) throws Exception {
    try {
      work.call();
    } catch (ApiException e) {
      ErrorEnvelope body = ApiClient.createDefaultObjectMapper().readValue(e.getResponseBody(), ErrorEnvelope.class);
      return equal(List.of(e.getCode(), body.getError().getCode()), List.of(status, code));
    }
    throw new AssertionError("no " + status);
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  static EmployeeCreate newEmployee(String email) {
    return new EmployeeCreate().email(email).firstName("Neu").lastName("Neumann");
  }

  public static void main(String[] arguments) {
    ApiClient own = as(fact("key"));
    EmployeesApi employees = new EmployeesApi(own);
    OrdersApi orders = new OrdersApi(own);
    IncidentsApi incidents = new IncidentsApi(own);
    PayrollExportDocumentsApi documents = new PayrollExportDocumentsApi(own);
    String filter = "lastName STARTS_WITH 'sch'";
    String tenant = fact("tenant");

    step("list", () -> {
      var page = employees.listEmployees(null, null, null, filter, "2026-01-01T00:00:00Z", null, null, null);
      var names = page.getItems().stream().map(item -> item.getLastName()).sorted().toList();
      return equal(List.of(page.getTotalElements(), names), List.of(3, List.of("Schmidt", "Schulz", "Schäfer")));
    });
    step("page", () -> {
      var page = employees.listEmployees(2, 2, "lastName", filter, null, null, null, null);
      return equal(List.of(page.getPage(), page.getTotalPages(), page.getItems().size()), List.of(2, 2, 1));
    });
    step("get", () -> {
      var found = employees.getEmployee(fact("employee"), null, null);
      return equal(Arrays.asList(found.getId(), found.getCity(), found.getTenant()), Arrays.asList(fact("employee"), null, tenant));
    });
    step("create", () -> {
      // A write that is repeated with its key is stored once.
      String key = newKey();
      var answer = employees.createEmployeeWithHttpInfo(newEmployee("neu@example.com"), null, key, tenant, null);
      var created = answer.getData();
      var repeated = employees.createEmployee(newEmployee("neu@example.com"), null, key, tenant, null);
      equal(List.of(repeated), List.of(created));
      return equal(List.of(answer.getStatusCode(), created.getEmail(), created.getBlocked()), List.of(201, "neu@example.com", false));
    });
    step("dry run", () -> {
      var answer = employees.createEmployeeWithHttpInfo(newEmployee("probe@example.com"), true, null, tenant, null);
      return equal(List.of(answer.getStatusCode(), answer.getData().getId()), List.of(200, "0".repeat(24)));
    });
    step("update", () -> {
      var patch = new EmployeePatch().city("Köln").phoneNumber(null);
      var changed = employees.updateEmployee(fact("employee"), patch, null, null, null, null);
      return equal(
          Arrays.asList(changed.getCity(), changed.getPhoneNumber(), changed.getStreet()),
          Arrays.asList("Köln", null, "Lange Straße 12"));
    });
    step("decide", () -> {
      var decision = new OrderDecision().decision(HrDecision.APPROVED).comment("Budget geprüft");
      var order = orders.decideOrder(fact("order"), decision, null, newKey(), null, null);
      equal(List.of(order.getStatus(), order.getHrHistory().getSource()), List.of(OrderStatus.APPROVED, HrDecisionSource.API_KEY));
      return equal(
          List.of(order.getContract().getListPrice(), order.getProducts().get(0).getNetAmount()),
          List.of("3599.00", "3024.3697"));
    });
    step("upload", () -> {
      var answer = incidents.uploadIncidentAttachmentWithHttpInfo(fact("incident"), new File("beleg.pdf"), null, newKey(), null, null);
      var stored = answer.getData();
      return equal(
          List.of(answer.getStatusCode(), stored.getFileName(), stored.getMediaType()),
          List.of(201, "beleg.pdf", "application/pdf"));
    });
    step("download document", () ->
        equalFile(orders.downloadOrderAttachment(fact("order"), fact("document"), null, null), "expected-document"));
    step("download payroll", () ->
        equalFile(documents.downloadPayrollExportDocument(fact("payrollDocument"), null, null), "expected-payroll"));
    step("400", () -> refused(400, ErrorCode.UNSUPPORTED_SORT_FIELD, () ->
        employees.listEmployees(null, null, "salary", null, null, null, null, null)));
    step("401", () -> refused(401, ErrorCode.INVALID_API_KEY, () ->
        new EmployeesApi(as("wrong")).getEmployee(fact("employee"), null, null)));
    step("403", () -> refused(403, ErrorCode.TENANT_NOT_IN_SCOPE, () ->
        employees.listEmployees(null, null, null, null, null, null, fact("foreignTenant"), null)));
    step("404", () -> refused(404, ErrorCode.NOT_FOUND, () -> employees.getEmployee("f".repeat(24), null, null)));
    step("406", () -> refused(406, ErrorCode.NOT_ACCEPTABLE, () -> {
        var asking = with(request -> request.header("X-API-Key", fact("key")).setHeader("Accept", "text/csv"));
        return new EmployeesApi(asking).getEmployee(fact("employee"), null, null);
    }));
    step("409", () -> refused(409, ErrorCode.DUPLICATE_RESOURCE, () ->
        employees.createEmployee(newEmployee("neu@example.com"), null, null, tenant, null)));
    step("413", () -> refused(413, ErrorCode.PAYLOAD_TOO_LARGE, () ->
        incidents.uploadIncidentAttachment(fact("incident"), new File("zu-gross.pdf"), null, null, null, null)));
    step("415", () -> refused(415, ErrorCode.UNSUPPORTED_MEDIA_TYPE, () ->
        incidents.uploadIncidentAttachment(fact("incident"), new File("kein.pdf"), null, null, null, null)));
    step("422", () -> refused(422, ErrorCode.VALIDATION_ERROR, () ->
        employees.listEmployees(null, null, null, null, "2026-09-02T00:00:00Z", "2026-09-01T00:00:00Z", null, null)));
    step("429", () -> refused(429, ErrorCode.RATE_LIMIT_EXCEEDED, () ->
        new EmployeesApi(as(fact("spentKey"))).getEmployee(fact("employee"), null, null)));
    // What no client can bring about: the service has files that are broken in these ways.
    Map.of(
            500, ErrorCode.INTERNAL_SERVER_ERROR,
            502, ErrorCode.BAD_GATEWAY,
            503, ErrorCode.SERVICE_UNAVAILABLE,
            504, ErrorCode.GATEWAY_TIMEOUT)
        .forEach((status, code) -> step(String.valueOf(status), () -> refused(status, code, () -> {
          String id = FACTS.get("brokenFiles").get(String.valueOf(status)).asText();
          return documents.downloadPayrollExportDocument(id, null, null);
        })));
    System.exit(failed ? 1 : 0);
  }
}
