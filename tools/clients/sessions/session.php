<?php
// Guzzle from Debian; with Composer this is vendor/autoload.php.
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Kontor\\')) {
        require 'client/lib/' . strtr(substr($class, 7), '\\', '/') . '.php';
    }
});

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

// It writes 1 for true otherwise, and looks at no configuration but the default one.
Configuration::getDefaultConfiguration()->setBooleanFormatForQueryString(Configuration::BOOLEAN_FORMAT_STRING);

function configured(string $key): Configuration
{
    global $facts;
    return (new Configuration())->setHost($facts->url)->setApiKey('X-API-Key', $key);
}

function employees(?string $key = null): EmployeesApi
{
    global $facts;
    return new EmployeesApi(null, configured($key ?? $facts->key));
}

/** Runs a step and says how it went; the session goes on in any case. */
function step(string $name, callable $work): void
{
    global $failed;
    try {
        $work();
        echo "ok $name\n";
    } catch (Throwable $error) {
        echo "failed $name: " . get_class($error) . ' ' . $error->getMessage() . "\n";
        $failed = true;
    }
}

function equal(array $actual, array $expected): void
{
    if ($actual !== $expected) {
        throw new Exception(json_encode($actual) . ' instead of ' . json_encode($expected));
    }
}

/** The code of an error, by its type. */
function refused(int $status, string $code, callable $work): void
{
    try {
        $work();
    } catch (ApiException $error) {
        $body = $error->getResponseObject();
        if (!$body instanceof ErrorEnvelope) {
            throw new Exception('the error is no envelope');
        }
        equal([$error->getCode(), $body->getError()->getCode()], [$status, $code]);
        return;
    }
    throw new Exception("no $status");
}

function newEmployee(string $email = 'neu@example.com'): EmployeeCreate
{
    return new EmployeeCreate(['email' => $email, 'first_name' => 'Neu', 'last_name' => 'Neumann']);
}

$filter = "lastName STARTS_WITH 'sch'";
$orders = new OrdersApi(null, configured($facts->key));
$incidents = new IncidentsApi(null, configured($facts->key));
$documents = new PayrollExportDocumentsApi(null, configured($facts->key));
$upload = fn (string $name) => $incidents->uploadIncidentAttachmentWithHttpInfo($facts->incident, new SplFileObject($name));

step('list', function () use ($filter) {
    $page = employees()->listEmployees(filter: $filter, created_at_from: '2026-01-01T00:00:00Z');
    $names = array_map(fn ($item) => $item->getLastName(), $page->getItems());
    sort($names);
    equal([$page->getTotalElements(), $names], [3, ['Schmidt', 'Schulz', 'Schäfer']]);
});
step('page', function () use ($filter) {
    $page = employees()->listEmployees(2, 2, 'lastName', $filter);
    equal([$page->getPage(), $page->getTotalPages(), count($page->getItems())], [2, 2, 1]);
});
step('get', function () use ($facts) {
    $found = employees()->getEmployee($facts->employee);
    equal([$found->getId(), $found->getCity(), $found->getTenant()], [$facts->employee, null, $facts->tenant]);
});
step('create', function () use ($facts) {
    [$created, $status] = employees()->createEmployeeWithHttpInfo(newEmployee(), null, $facts->tenant);
    equal([$status, $created->getEmail(), $created->getBlocked()], [201, 'neu@example.com', false]);
});
step('dry run', function () use ($facts) {
    [$probe, $status] = employees()->createEmployeeWithHttpInfo(newEmployee('probe@example.com'), true, $facts->tenant);
    equal([$status, $probe->getId()], [200, str_repeat('0', 24)]);
});
step('update', function () use ($facts) {
    $patch = new EmployeePatch(['city' => 'Köln', 'phone_number' => null]);
    $changed = employees()->updateEmployee($facts->employee, $patch);
    equal([$changed->getCity(), $changed->getPhoneNumber(), $changed->getStreet()], ['Köln', null, 'Lange Straße 12']);
});
step('decide', function () use ($facts, $orders) {
    $decision = new OrderDecision(['decision' => HrDecision::APPROVED, 'comment' => 'Budget geprüft']);
    $order = $orders->decideOrder($facts->order, $decision);
    equal([$order->getStatus(), $order->getHrHistory()->getSource()], [OrderStatus::APPROVED, HrDecisionSource::API_KEY]);
    $amounts = [$order->getContract()->getListPrice(), $order->getProducts()[0]->getNetAmount()];
    equal($amounts, ['3599.00', '3024.3697']);
});
step('upload', function () use ($upload) {
    [$stored, $status] = $upload('beleg.pdf');
    equal([$status, $stored->getFileName(), $stored->getMediaType()], [201, 'beleg.pdf', 'application/pdf']);
});
step('download document', function () use ($facts, $orders) {
    $file = $orders->downloadOrderAttachment($facts->order, $facts->document);
    equal([file_get_contents($file->getPathname())], [file_get_contents('expected-document')]);
});
step('download payroll', function () use ($facts, $documents) {
    $file = $documents->downloadPayrollExportDocument($facts->payrollDocument);
    equal([file_get_contents($file->getPathname())], [file_get_contents('expected-payroll')]);
});

// Sends another Accept than the client does by itself.
$stack = HandlerStack::create();
$stack->push(Middleware::mapRequest(fn ($request) => $request->withHeader('Accept', 'text/csv')));
$asking = new Client(['handler' => $stack]);

$refusals = [
    [400, ErrorCode::UNSUPPORTED_SORT_FIELD, fn () => employees()->listEmployees(sort: 'salary')],
    [401, ErrorCode::INVALID_API_KEY, fn () => employees('wrong')->getEmployee($facts->employee)],
    [403, ErrorCode::TENANT_NOT_IN_SCOPE, fn () => employees()->listEmployees(x_tenant_id: $facts->foreignTenant)],
    [404, ErrorCode::NOT_FOUND, fn () => employees()->getEmployee(str_repeat('f', 24))],
    [406, ErrorCode::NOT_ACCEPTABLE, fn () => (new EmployeesApi($asking, configured($facts->key)))->listEmployees()],
    [409, ErrorCode::DUPLICATE_RESOURCE, fn () => employees()->createEmployee(newEmployee(), null, $facts->tenant)],
    [413, ErrorCode::PAYLOAD_TOO_LARGE, fn () => $upload('zu-gross.pdf')],
    [415, ErrorCode::UNSUPPORTED_MEDIA_TYPE, fn () => $upload('kein.pdf')],
    [422, ErrorCode::VALIDATION_ERROR, fn () => employees()->listEmployees(
        created_at_from: '2026-09-02T00:00:00Z',
        created_at_to: '2026-09-01T00:00:00Z',
    )],
    [429, ErrorCode::RATE_LIMIT_EXCEEDED, fn () => employees($facts->spentKey)->getEmployee($facts->employee)],
];
// What no client can bring about: the service has files that are broken in these ways.
$broken = [
    500 => ErrorCode::INTERNAL_SERVER_ERROR,
    502 => ErrorCode::BAD_GATEWAY,
    503 => ErrorCode::SERVICE_UNAVAILABLE,
    504 => ErrorCode::GATEWAY_TIMEOUT,
];
foreach ($broken as $status => $code) {
    $id = $facts->brokenFiles->{$status};
    $refusals[] = [$status, $code, fn () => $documents->downloadPayrollExportDocument($id)];
}
foreach ($refusals as [$status, $code, $work]) {
    step((string) $status, fn () => refused($status, $code, $work));
}
exit($failed ? 1 : 0);
