use kontor_client::apis::configuration::{ApiKey, Configuration};
use kontor_client::apis::employees_api::*;
use kontor_client::apis::incidents_api::*;
use kontor_client::apis::orders_api::*;
use kontor_client::apis::payroll_export_documents_api::*;
use kontor_client::apis::Error;
use kontor_client::models::{EmployeeCreate, EmployeePatch, ErrorEnvelope, HrDecision, OrderDecision};
use serde_json::{json, Value};
use std::error::Error as StdError;
use std::fmt::Debug;
use std::fs;
use std::future::Future;
use std::path::PathBuf;

type Outcome = Result<(), Box<dyn StdError>>;

fn configure(facts: &Value, key: &str, client: reqwest::Client) -> Configuration {
    Configuration {
        base_path: text(facts, "url"),
        api_key: Some(ApiKey { prefix: None, key: key.to_owned() }),
        client,
        ..Configuration::new()
    }
}

fn text(facts: &Value, name: &str) -> String {
    facts[name].as_str().unwrap().to_owned()
}

/// Runs a step and prints its outcome; the session continues in any case.
async fn step(name: &str, work: impl Future<Output = Outcome>) -> bool {
    match work.await {
        Ok(()) => println!("ok {name}"),
        Err(error) => {
            println!("failed {name}: {error}");
            return false;
        }
    }
    true
}

fn equal<T: PartialEq + Debug>(actual: T, expected: T) -> Outcome {
    if actual == expected { Ok(()) } else { Err(format!("{actual:?} instead of {expected:?}").into()) }
}

async fn equal_file(answer: reqwest::Response, expected: &str) -> Outcome {
    equal(answer.bytes().await?.to_vec(), fs::read(expected)?)
}

/// The code of an error, by its type. `entity` has the first variant for each status, so the envelope is in `content`.
fn rejected<T, E>(answer: Result<T, Error<E>>, status: u16, code: &str) -> Outcome {
    match answer {
        Err(Error::ResponseError(error)) => {
            let envelope: ErrorEnvelope = serde_json::from_str(&error.content)?;
            equal((error.status.as_u16(), envelope.error.code.to_string()), (status, code.to_owned()))
        }
        _ => Err(format!("no {status}").into()),
    }
}

fn new_employee(email: &str) -> EmployeeCreate {
    EmployeeCreate::new(email.to_owned(), "Neu".to_owned(), "Neumann".to_owned())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let facts: Value = serde_json::from_str(&fs::read_to_string("facts.json").unwrap()).unwrap();
    let fact = |name: &str| text(&facts, name);
    let with_key = |key: &str| configure(&facts, key, reqwest::Client::new());
    let own = with_key(&fact("key"));
    let filter = Some("lastName STARTS_WITH 'sch'");
    let (tenant, employee, order, incident) = (fact("tenant"), fact("employee"), fact("order"), fact("incident"));
    let tenant = Some(tenant.as_str());
    let upload = |file: &str| upload_incident_attachment(&own, &incident, PathBuf::from(file), None, Some(file), None, None);
    let mut ok = true;

    ok &= step("list", async {
        let from = Some("2026-01-01T00:00:00Z");
        let answer = list_employees(&own, None, None, None, filter, from, None, None, None).await.map_err(show)?;
        let Some(ListEmployeesSuccess::Status200(page)) = answer.entity else { return Err("no page".into()) };
        let mut names: Vec<_> = page.items.into_iter().filter_map(|item| item.last_name).collect();
        names.sort();
        equal((page.total_elements, names.join(" ")), (3, "Schmidt Schulz Schäfer".to_owned()))
    }).await;
    ok &= step("page", async {
        let answer = list_employees(&own, Some(2), Some(2), Some("lastName"), filter, None, None, None, None).await.map_err(show)?;
        let Some(ListEmployeesSuccess::Status200(page)) = answer.entity else { return Err("no page".into()) };
        equal((page.page, page.total_pages, page.items.len()), (2, 2, 1))
    }).await;
    ok &= step("get", async {
        let answer = get_employee(&own, &employee, None, None).await.map_err(show)?;
        let Some(GetEmployeeSuccess::Status200(found)) = answer.entity else { return Err("no employee".into()) };
        equal((found.id, found.city, found.tenant), (employee.clone(), None, tenant.map(str::to_owned)))
    }).await;
    ok &= step("create", async {
        // A write that is repeated with its key is stored once.
        let create = || create_employee(&own, new_employee("neu@example.com"), None, Some("create"), tenant, None);
        let answer = create().await.map_err(show)?;
        equal(create().await.map_err(show)?.content, answer.content.clone())?;
        let created: Value = serde_json::from_str(&answer.content)?;
        equal((answer.status.as_u16(), &created["email"], &created["blocked"]), (201, &json!("neu@example.com"), &json!(false)))
    }).await;
    ok &= step("dry run", async {
        let answer = create_employee(&own, new_employee("probe@example.com"), Some(true), None, tenant, None).await.map_err(show)?;
        let Some(CreateEmployeeSuccess::Status200(created)) = answer.entity else { return Err("no employee".into()) };
        equal((answer.status.as_u16(), created.id), (200, "0".repeat(24)))
    }).await;
    ok &= step("update", async {
        let patch = EmployeePatch { city: Some(Some("Köln".to_owned())), phone_number: Some(None), ..EmployeePatch::new() };
        let answer = update_employee(&own, &employee, patch, None, None, None, None).await.map_err(show)?;
        let Some(UpdateEmployeeSuccess::Status200(changed)) = answer.entity else { return Err("no employee".into()) };
        let expected = (Some("Köln".to_owned()), None, Some("Lange Straße 12".to_owned()));
        equal((changed.city, changed.phone_number, changed.street), expected)
    }).await;
    ok &= step("decide", async {
        let decision = OrderDecision { comment: Some(Some("Budget geprüft".to_owned())), ..OrderDecision::new(HrDecision::Approved) };
        let answer = decide_order(&own, &order, decision, None, Some("decide"), None, None).await.map_err(show)?;
        let Some(DecideOrderSuccess::Status200(decided)) = answer.entity else { return Err("no order".into()) };
        let source = decided.hr_history.map(|history| history.source.to_string());
        equal((decided.status.to_string(), source), ("approved".to_owned(), Some("api_key".to_owned())))?;
        let amounts = (decided.contract.map(|contract| contract.list_price), decided.products[0].net_amount.clone());
        equal(amounts, (Some("3599.00".to_owned()), "3024.3697".to_owned()))
    }).await;
    ok &= step("upload", async {
        let answer = upload("beleg.pdf").await.map_err(show)?;
        let stored: Value = serde_json::from_str(&answer.content)?;
        let actual = (answer.status.as_u16(), &stored["fileName"], &stored["mediaType"]);
        equal(actual, (201, &json!("beleg.pdf"), &json!("application/pdf")))
    }).await;
    ok &= step("download document", async {
        let answer = download_order_attachment(&own, &order, &fact("document"), None, None).await.map_err(show)?;
        equal_file(answer, "expected-document").await
    }).await;
    let download = async |id: String| download_payroll_export_document(&own, &id, None, None).await;
    ok &= step("download payroll", async {
        equal_file(download(fact("payrollDocument")).await.map_err(show)?, "expected-payroll").await
    }).await;

    ok &= step("400", async {
        rejected(list_employees(&own, None, None, Some("salary"), None, None, None, None, None).await, 400, "UNSUPPORTED_SORT_FIELD")
    }).await;
    ok &= step("401", async {
        rejected(get_employee(&with_key("wrong"), &employee, None, None).await, 401, "INVALID_API_KEY")
    }).await;
    ok &= step("403", async {
        let foreign = fact("foreignTenant");
        let answer = list_employees(&own, None, None, None, None, None, None, Some(&foreign), None).await;
        rejected(answer, 403, "TENANT_NOT_IN_SCOPE")
    }).await;
    ok &= step("404", async {
        rejected(get_employee(&own, &"f".repeat(24), None, None).await, 404, "NOT_FOUND")
    }).await;
    ok &= step("406", async {
        let headers = reqwest::header::HeaderMap::from_iter([(reqwest::header::ACCEPT, "text/csv".parse()?)]);
        let asking = configure(&facts, &fact("key"), reqwest::Client::builder().default_headers(headers).build()?);
        rejected(get_employee(&asking, &employee, None, None).await, 406, "NOT_ACCEPTABLE")
    }).await;
    ok &= step("409", async {
        let answer = create_employee(&own, new_employee("neu@example.com"), None, None, tenant, None).await;
        rejected(answer, 409, "DUPLICATE_RESOURCE")
    }).await;
    ok &= step("413", async { rejected(upload("zu-gross.pdf").await, 413, "PAYLOAD_TOO_LARGE") }).await;
    ok &= step("415", async { rejected(upload("kein.pdf").await, 415, "UNSUPPORTED_MEDIA_TYPE") }).await;
    ok &= step("422", async {
        let (from, to) = (Some("2026-09-02T00:00:00Z"), Some("2026-09-01T00:00:00Z"));
        rejected(list_employees(&own, None, None, None, None, from, to, None, None).await, 422, "VALIDATION_ERROR")
    }).await;
    ok &= step("429", async {
        let spent = with_key(&fact("spentKey"));
        rejected(get_employee(&spent, &employee, None, None).await, 429, "RATE_LIMIT_EXCEEDED")
    }).await;
    // What no client can bring about: the service has files that are broken in these ways.
    for (status, code) in [
        (500, "INTERNAL_SERVER_ERROR"),
        (502, "BAD_GATEWAY"),
        (503, "SERVICE_UNAVAILABLE"),
        (504, "GATEWAY_TIMEOUT"),
    ] {
        let id = text(&facts["brokenFiles"], &status.to_string());
        ok &= step(&status.to_string(), async { rejected(download(id).await, status, code) }).await;
    }
    std::process::exit(if ok { 0 } else { 1 });
}

/// The error with its answer: its own words name the status only.
fn show<E: Debug>(error: Error<E>) -> String {
    format!("{error:?}")
}
