import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  apis,
  dryRunId,
  type Incident,
  openApiDocument,
  type OpenApiDocument,
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

for (const [name, api] of Object.entries(apis))
  describe(`the examples of the document of the ${name} API`, () => {
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

/** What the operation answered, as the examples have it. */
const answerOf = (operationId: string, status: number) =>
  recorded.exchanges[operationId]!.answers[status] as any;
const requestOf = (operationId: string) => recorded.exchanges[operationId]!.request as any;

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
  test('an order has a decision exactly when its state says so, and the one that was asked for', () => {
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
    for (const [operationId, { answers }] of Object.entries(recorded.exchanges)) {
      const answer = answers[200] as any;
      if (operationId.startsWith('list')) {
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
