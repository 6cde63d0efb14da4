<?php
require 'client/vendor/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use Kontor\Api\EmployeesApi;
use Kontor\Api\IncidentsApi;
use Kontor\Api\OrdersApi;
use Kontor\Api\PayrollExportDocumentsApi;
use Kontor\ApiException;
use Kontor\Configuration;
use Kontor\Model\EmployeeCreate;
use Kontor\Model\EmployeePatch;
use Kontor\Model\ErrorCode;
use Kontor\Model\ErrorEnvelope;
use Kontor\Model\HrDecision;
use Kontor\Model\HrDecisionSource;
use Kontor\Model\OrderDecision;
use Kontor\Model\OrderStatus;

$facts = json_decode(file_get_contents('facts.json'));
$failed = false;
// Only the default configuration decides how booleans of queries are written: `dryRun=1` is rejected.
Configuration::getDefaultConfiguration()->setBooleanFormatForQueryString(Configuration::BOOLEAN_FORMAT_STRING);

function withKey(string $key): Configuration
{
    global $facts;
    return (new Configuration())->setHost($facts->url)->setApiKey('X-API-Key', $key);
}

function employeesOf(string $key): EmployeesApi
{
    return new EmployeesApi(null, withKey($key));
}

/** Runs a step and reports the result; the session continues in any case. */
function step(string $name, callable $work): void
{
    global $failed;
    try {
        $work();
        echo "ok $name\n";
    } catch (Throwable $error) {
        echo "failed $name: ", get_class($error), " {$error->getMessage()}\n";
        $failed = true;
    }
}

function equal(mixed $actual, mixed $expected): void
{
    if ($actual !== $expected)
        throw new UnexpectedValueException(json_encode([$actual, 'instead of', $expected], JSON_UNESCAPED_UNICODE));
}

function equalFile(SplFileObject $actual, string $expected): void
{
    equal(md5_file($actual->getPathname()), md5_file($expected));
}

/** The code of an error, by its type. */
function rejected(int $status, string $code, callable $work): void
{
    try {
        $work();
    } catch (ApiException $error) {
        $body = $error->getResponseObject();
        equal([$error->getCode(), $body instanceof ErrorEnvelope, $body->getError()->getCode()], [$status, true, $code]);
        return;
    }
    throw new UnexpectedValueException("no $status");
}

function newKey(): string
{
    return bin2hex(random_bytes(16));
}

function newEmployee(string $email): EmployeeCreate
{
    return new EmployeeCreate(['email' => $email, 'first_name' => 'Neu', 'last_name' => 'Neumann']);
}

$own = withKey($facts->key);
$employees = new EmployeesApi(null, $own);
$orders = new OrdersApi(null, $own);
$incidents = new IncidentsApi(null, $own);
$documents = new PayrollExportDocumentsApi(null, $own);
$filter = "lastName STARTS_WITH 'sch'";
$nobody = str_repeat('f', 24);
$upload = fn (string $file) => $incidents->uploadIncidentAttachmentWithHttpInfo(
    $facts->incident,
    new SplFileObject($file),
    idempotency_key: newKey(),
);

step('list', function () use ($employees, $filter) {
    // DATE_ATOM writes +00:00, which the service rejects: write Z instead.
    $from = (new DateTimeImmutable('2026-01-01T00:00:00Z'))->format('Y-m-d\TH:i:s\Z');
    $page = $employees->listEmployees(filter: $filter, created_at_from: $from);
    $names = array_map(fn ($item) => $item->getLastName(), $page->getItems());
    sort($names);
    equal([$page->getTotalElements(), $names], [3, ['Schmidt', 'Schulz', 'Schäfer']]);
});
step('page', function () use ($employees, $filter) {
    $page = $employees->listEmployees(page: 2, page_size: 2, sort: 'lastName', filter: $filter);
    equal([$page->getPage(), $page->getTotalPages(), count($page->getItems())], [2, 2, 1]);
});
step('get', function () use ($employees, $facts) {
    $found = $employees->getEmployee($facts->employee);
    equal([$found->getId(), $found->getCity(), $found->getTenant()], [$facts->employee, null, $facts->tenant]);
    // Timestamps keep their milliseconds, so one can be written as it was read.
    equal($found->getUpdatedAt()->format('Y-m-d\TH:i:s.v\Z'), json_decode(
        file_get_contents("$facts->url/employees/$facts->employee", context: stream_context_create(
            ['http' => ['header' => "X-API-Key: $facts->key"]],
        )),
    )->updatedAt);
});
step('create', function () use ($employees, $facts) {
    // A write that is repeated with its key is stored once.
    $with = ['idempotency_key' => newKey(), 'x_tenant_id' => $facts->tenant];
    [$created, $status] = $employees->createEmployeeWithHttpInfo(newEmployee('neu@example.com'), ...$with);
    equal([$status, $created->getEmail(), $created->getBlocked()], [201, 'neu@example.com', false]);
    [$repeated, , $headers] = $employees->createEmployeeWithHttpInfo(newEmployee('neu@example.com'), ...$with);
    equal([$headers['Idempotency-Replayed'], (string) $repeated], [['true'], (string) $created]);
});
step('dry run', function () use ($employees, $facts) {
    [$created, $status] = $employees->createEmployeeWithHttpInfo(
        newEmployee('probe@example.com'),
        dry_run: true,
        x_tenant_id: $facts->tenant,
    );
    equal([$status, $created->getId()], [200, str_repeat('0', 24)]);
});
step('update', function () use ($employees, $facts) {
    // What is not set stays as it is, null clears.
    $changed = $employees->updateEmployee($facts->employee, new EmployeePatch(['city' => 'Köln', 'phone_number' => null]));
    equal([$changed->getCity(), $changed->getPhoneNumber(), $changed->getStreet()], ['Köln', null, 'Lange Straße 12']);
});
step('decide', function () use ($orders, $facts) {
    $decision = new OrderDecision(['decision' => HrDecision::APPROVED, 'comment' => 'Budget geprüft']);
    $order = $orders->decideOrder($facts->order, $decision, idempotency_key: newKey());
    equal([$order->getStatus(), $order->getHrHistory()->getSource()], [OrderStatus::APPROVED, HrDecisionSource::API_KEY]);
    equal([$order->getContract()->getListPrice(), $order->getProducts()[0]->getNetAmount()], ['3599.00', '3024.3697']);
});
step('upload', function () use ($upload) {
    [$stored, $status] = $upload('beleg.pdf');
    equal([$status, $stored->getFileName(), $stored->getMediaType()], [201, 'beleg.pdf', 'application/pdf']);
});
step('download document', fn () => equalFile(
    $orders->downloadOrderAttachment($facts->order, $facts->document),
    'expected-document',
));
step('download payroll', fn () => equalFile(
    $documents->downloadPayrollExportDocument($facts->payrollDocument),
    'expected-payroll',
));

step('400', fn () => rejected(400, ErrorCode::UNSUPPORTED_SORT_FIELD, fn () => $employees->listEmployees(sort: 'salary')));
step('401', fn () => rejected(401, ErrorCode::INVALID_API_KEY, fn () => employeesOf('wrong')->getEmployee($facts->employee)));
step('403', fn () => rejected(403, ErrorCode::TENANT_NOT_IN_SCOPE, fn () => $employees->listEmployees(
    x_tenant_id: $facts->foreignTenant,
)));
step('404', fn () => rejected(404, ErrorCode::NOT_FOUND, fn () => $employees->getEmployee($nobody)));
step('406', fn () => rejected(406, ErrorCode::NOT_ACCEPTABLE, function () use ($own, $facts) {
    $stack = HandlerStack::create();
    $stack->push(Middleware::mapRequest(fn ($request) => $request->withHeader('Accept', 'text/csv')));
    (new EmployeesApi(new Client(['handler' => $stack]), $own))->getEmployee($facts->employee);
}));
step('409', fn () => rejected(409, ErrorCode::DUPLICATE_RESOURCE, fn () => $employees->createEmployee(
    newEmployee('neu@example.com'),
    x_tenant_id: $facts->tenant,
)));
step('413', fn () => rejected(413, ErrorCode::PAYLOAD_TOO_LARGE, fn () => $upload('zu-gross.pdf')));
step('415', fn () => rejected(415, ErrorCode::UNSUPPORTED_MEDIA_TYPE, fn () => $upload('kein.pdf')));
step('422', fn () => rejected(422, ErrorCode::VALIDATION_ERROR, fn () => $employees->listEmployees(
    created_at_from: '2026-09-02T00:00:00Z',
    created_at_to: '2026-09-01T00:00:00Z',
)));
step('429', fn () => rejected(429, ErrorCode::RATE_LIMIT_EXCEEDED, fn () => employeesOf($facts->spentKey)->getEmployee(
    $facts->employee,
)));
// What no client can bring about: the service has files that are broken in these ways.
foreach ([
    500 => ErrorCode::INTERNAL_SERVER_ERROR,
    502 => ErrorCode::BAD_GATEWAY,
    503 => ErrorCode::SERVICE_UNAVAILABLE,
    504 => ErrorCode::GATEWAY_TIMEOUT,
] as $status => $code)
    step((string) $status, fn () => rejected($status, $code, fn () => $documents->downloadPayrollExportDocument(
        $facts->brokenFiles->{$status},
    )));
exit($failed ? 1 : 0);
