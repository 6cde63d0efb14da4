import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  type Api,
  apis,
  dryRunId,
  type ErrorBody,
  type Incident,
  isPublished,
  openApiDocument,
  type OpenApiDocument,
  type Operation,
  type OperationObject,
  type Order,
  type ResponseObject,
} from '../src/index.ts';

const { recorded } = apis.public;

type Content = ResponseObject['content'];

/** The contents of an operation's body and answers, with the pointers to them. */
function contents(
  document: OpenApiDocument,
  [path, method]: readonly [string, string],
  operation: OperationObject,
): [pointer: string, Content][] {
  const own = ['paths', path, method].map(step => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
  const answers = Object.entries(operation.responses).map(([status, response]): [string, Content] => {
    if (!('$ref' in response)) return [`#/${own}/responses/${status}`, response.content];
    return [response.$ref, document.components.responses[response.$ref.split('/').at(-1)!]!.content];
  });
  const { requestBody } = operation;
  return requestBody ? [[`#/${own}/requestBody`, requestBody.content], ...answers] : answers;
}

/** The values of the examples of a content, with their names. */
function valuesOf(
  document: OpenApiDocument,
  { example, examples = {} }: Content[string],
): [name: string, value: unknown][] {
  if (example !== undefined) return [['example', example]];
  return Object.entries(examples).map(([name, found]) => [
    name,
    '$ref' in found ? document.components.examples[found.$ref.split('/').at(-1)!]!.value : found.value,
  ]);
}

for (const api of Object.values<Api>(apis).filter(isPublished))
  describe(`the examples of the document of the ${api.texts.title}`, () => {
    const document = openApiDocument(api);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addFormat('idn-email', true).addSchema(document, 'openapi');

    test('are there for every JSON body, and fit its schema', () => {
      for (const [path, item] of Object.entries(document.paths))
        for (const [method, operation] of Object.entries(item))
          for (const [pointer, content] of contents(document, [path, method], operation)) {
            const media = content['application/json'];
            if (!media) continue;
            const validate = ajv.compile({ $ref: `openapi${pointer}/content/application~1json/schema` });
            const values = valuesOf(document, media);
            assert.ok(values.length > 0, pointer);
            for (const [name, value] of values)
              assert.ok(validate(value), `${pointer} ${name}: ${ajv.errorsText(validate.errors)}`);
          }
    });

    test('of headers fit their schemas', () => {
      for (const [name, { schema, example }] of Object.entries(document.components.headers)) {
        const validate = ajv.compile(schema);
        assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
      }
    });

    test('of errors have the code that they are examples of', () => {
      for (const [name, { value }] of Object.entries(document.components.examples))
        assert.equal((value as { error: { code: string } }).error.code, name.replace(/_\d{3}$/, ''));
    });
  });

/** The messages of the examples of an operation's errors, by the name of the example. */
function messagesOf(document: OpenApiDocument, { path, method }: Operation): Map<string, string> {
  const operation = document.paths[path]![method.toLowerCase() as 'get']!;
  const found = contents(document, [path, method], operation).flatMap(([, { 'application/json': media }]) =>
    media === undefined ? [] : valuesOf(document, media),
  );
  return new Map(found.map(([name, value]) => [name, (value as Partial<ErrorBody>).error?.message ?? '']));
}

/** The names that an operation knows, by the code of its error for other names. */
function namesOf({ fields, body, query }: Operation): [code: string, names: string[]][] {
  const parameters = Object.keys(query.properties);
  const known: [string, Iterable<string> | undefined][] = [
    ['UNSUPPORTED_FILTER_FIELD', fields?.keys()],
    ['UNSUPPORTED_SORT_FIELD', fields?.keys()],
    ['UNSUPPORTED_FIELD', body && Object.keys(body.properties)],
    ['UNKNOWN_QUERY_PARAMETER', parameters.length === 0 ? undefined : parameters],
  ];
  return known.flatMap(([code, names]) => (names === undefined ? [] : [[code, [...names]]]));
}

describe('the examples of errors', () => {
  const document = openApiDocument(apis.public);

  test('name the fields, properties and parameters of their own operation', () => {
    for (const [operationId, operation] of Object.entries<Operation>(apis.public.operations)) {
      const messages = messagesOf(document, operation);
      for (const [code, names] of namesOf(operation))
        assert.ok(messages.get(code)!.endsWith(`: ${names.join(', ')}`), `${operationId} ${code}`);
    }
  });

  test('name the resource that was not found', () => {
    for (const [operationId, operation] of Object.entries<Operation>(apis.public.operations)) {
      const message = messagesOf(document, operation).get('NOT_FOUND');
      // A create has only the words of a repeat.
      if (message === undefined || !operation.path.includes('{id}')) continue;
      const noun = operation.path.split('/')[1]!.replaceAll('-', ' ').slice(0, -1);
      assert.match(
        message,
        new RegExp(`^No .*${noun}`),
        `${operationId} has the words of another operation: reject it in test/examples/wordings.ts of the server, then "npm run examples"`,
      );
    }
  });
});

/** What the operation answered, as the examples have it. */
const answerOf = (operationId: string, status: number) =>
  recorded.operations[operationId]!.answers[status] as any;
const requestOf = (operationId: string) => recorded.operations[operationId]!.request as any;

const orders: Order[] = [
  answerOf('getOrder', 200),
  answerOf('decideOrder', 200),
  ...answerOf('listOrders', 200).items,
];
const incidents: Incident[] = [
  answerOf('createIncident', 201),
  answerOf('createIncident', 200),
  answerOf('getIncident', 200),
  answerOf('updateIncident', 200),
  ...answerOf('listIncidents', 200).items,
];

describe('the examples keep the rules beyond the schema', () => {
  test('an order has a decision, and the requested one, exactly when its state requires it', () => {
    for (const { status, hrHistory } of orders)
      assert.equal(hrHistory === null, ['under_review', 'expired'].includes(status));
    const { status, hrHistory } = answerOf('decideOrder', 200) as Order;
    assert.equal(status, requestOf('decideOrder').decision);
    assert.deepEqual(
      [hrHistory!.decision, hrHistory!.comment, hrHistory!.source, hrHistory!.decisionBy],
      [requestOf('decideOrder').decision, requestOf('decideOrder').comment, 'api_key', null],
    );
  });

  test('the amounts of an order add up: tax, salary conversion and taxable benefit', () => {
    for (const { products, contract } of orders) {
      for (const { netAmount, grossAmount, vatRate } of products) {
        const gross = Number(netAmount) * (1 + Number(vatRate) / 100);
        assert.ok(Math.abs(gross - Number(grossAmount)) < 0.005, `${netAmount} + ${vatRate} %`);
      }
      if (contract === null) continue;
      const sum = (['leasing', 'insurance', 'service'] as const)
        .map(kind => Number(contract[`${kind}Rate`]) - Number(contract[`${kind}RateSubsidy`]))
        .reduce((all, share) => all + share);
      assert.equal(sum.toFixed(2), contract.salaryConversion);
      assert.equal(Math.floor(Number(contract.listPrice) / 400).toFixed(2), contract.taxableBenefit);
    }
  });

  test('things happen in their order: an order after its employee, a decision after the order, a file after its month began', () => {
    const employee = answerOf('getEmployee', 200);
    for (const { employeeId, submittedAt, createdAt, updatedAt, hrHistory, attachments } of orders) {
      assert.equal(employeeId, employee.id);
      const instants = [employee.createdAt, submittedAt, createdAt, attachments[0]!.createdAt];
      assert.deepEqual(instants.toSorted(), instants);
      if (hrHistory !== null) assert.equal(hrHistory.decidedAt, updatedAt);
    }
    const documents = [
      answerOf('getPayrollExportDocument', 200),
      ...answerOf('listPayrollExportDocuments', 200).items,
    ];
    for (const { period, generatedAt } of documents) assert.ok(period < generatedAt.slice(0, 7));
    for (const { occurredOn, createdAt } of incidents) assert.ok(occurredOn! <= createdAt.slice(0, 10));
  });

  test('an incident is completed exactly when nothing required is missing, and editable then', () => {
    for (const { orderId, occurredOn, description, policeReference, type, status, editable } of incidents) {
      const missing =
        [orderId, occurredOn, description].includes(null) || (type === 'theft' && !policeReference);
      assert.equal(status, missing ? 'draft' : 'completed');
      assert.ok(editable);
    }
  });

  test('a dry run shows what the create then made, under the identifier of zeros', () => {
    for (const operationId of [
      'createEmployee',
      'createDivision',
      'createIncident',
      'uploadIncidentAttachment',
    ]) {
      const [dry, real] = [answerOf(operationId, 200), answerOf(operationId, 201)];
      assert.equal(dry.id, dryRunId);
      const { id, createdAt, updatedAt } = real;
      assert.deepEqual({ ...dry, id, createdAt, ...(updatedAt && { updatedAt }) }, real);
    }
  });

  test('a create and an update answer what was sent', () => {
    for (const operationId of ['createEmployee', 'createDivision', 'createIncident'])
      assert.partialDeepStrictEqual(answerOf(operationId, 201), requestOf(operationId));
    for (const operationId of ['updateEmployee', 'updateDivision', 'updateIncident'])
      assert.partialDeepStrictEqual(answerOf(operationId, 200), requestOf(operationId));
  });

  test('a page has the totals of its items, and nothing was changed before it was created', () => {
    const operations: Readonly<Record<string, Operation>> = apis.public.operations;
    for (const [operationId, { answers }] of Object.entries(recorded.operations)) {
      const answer = answers[200] as any;
      if (operations[operationId]!.fields !== undefined) {
        assert.deepEqual(
          [answer.page, answer.totalPages, answer.totalElements],
          [1, 1, answer.items.length],
          operationId,
        );
      }
      for (const { createdAt, updatedAt } of answer?.items ?? [answer ?? {}])
        if (updatedAt !== undefined) assert.ok(createdAt <= updatedAt, operationId);
    }
  });
});
