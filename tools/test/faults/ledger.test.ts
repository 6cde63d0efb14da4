import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkWrites, type Document, type Stored } from '../../faults/ledger.ts';
import { newWrite, type Outcome, type Write } from '../../faults/writes.ts';

const employee = { id: 'e1', email: 'w1@faults.example', city: null };
const changed = { id: 'e2', email: 'stable@example.com', city: 'w3' };
const advice = 'It may have been stored: read it before you send it again';

let request = 0;

function write(given: Partial<Write> & { mark: string }): Write {
  request += 1;
  const made = newWrite({ resourceType: 'employee', target: null, fields: {}, ...given });
  return { ...made, requestId: `r${request}`, outcome: given.outcome ?? made.outcome };
}

function created(outcome: Outcome): Write {
  return write({ mark: employee.email, fields: { email: employee.email }, outcome });
}

function update(mark: string, outcome: Outcome): Write {
  return write({ mark, target: changed.id, outcome });
}

const acknowledged = (body: unknown): Outcome => ({ state: 'acknowledged', body });
const unknown = (message: string | null = advice): Outcome => ({ state: 'unknown', message });
const rejected: Outcome = { state: 'rejected' };

function stored(employees: readonly Document[], audited: readonly Write[]): Stored {
  return {
    documents: { employee: employees, division: [], incident: [], employee_order: [] },
    audit: audited.map(({ requestId, target }) => ({ requestId: requestId!, targetId: target ?? 'e1' })),
  };
}

function kinds(writes: readonly Write[], found: Stored): string[] {
  return [...checkWrites(writes, found)].map(({ kind }) => kind);
}

describe('a create', () => {
  test('that was acknowledged and is stored once with its audit row is sound', () => {
    const sound = created(acknowledged(employee));
    assert.deepEqual(kinds([sound], stored([employee], [sound])), []);
  });
  test('that was acknowledged and is not stored is lost', () => {
    const lost = created(acknowledged(employee));
    assert.deepEqual(kinds([lost], stored([], [])), ['acknowledged write lost']);
  });
  test('that was acknowledged with other content than is stored is found', () => {
    const other = created(acknowledged({ ...employee, city: 'Ulm' }));
    assert.deepEqual(kinds([other], stored([employee], [other])), ['stored otherwise than acknowledged']);
  });
  test('that is stored without its audit row is found', () => {
    const unaudited = created(acknowledged(employee));
    assert.deepEqual(kinds([unaudited], stored([employee], [])), ['wrong number of audit rows']);
  });
  for (const outcome of [acknowledged(employee), unknown()])
    test(`that is ${outcome.state} and stored twice is found`, () => {
      const twice = created(outcome);
      const rows = [employee, { ...employee, id: 'e9' }];
      assert.deepEqual(kinds([twice], stored(rows, [twice])), ['write stored more than once']);
    });
  test('without an acknowledgement may be stored or not, with its audit row or none', () => {
    const maybe = created(unknown());
    assert.deepEqual(kinds([maybe], stored([employee], [maybe])), []);
    assert.deepEqual(kinds([maybe], stored([], [])), []);
    assert.deepEqual(kinds([maybe], stored([], [maybe])), ['wrong number of audit rows']);
  });
  test('that was rejected must not be stored', () => {
    const wrong = created(rejected);
    assert.deepEqual(kinds([wrong], stored([employee], [wrong])), ['refused write stored']);
  });
  test('that is stored must have been answered with the advice to read', () => {
    const unanswered = created(unknown('Try again later'));
    const expected = ['write stored whose answer does not tell to read first'];
    assert.deepEqual(kinds([unanswered], stored([employee], [unanswered])), expected);
  });
  test('that is stored must not have been answered with the opposite', () => {
    const denied = created(unknown('Nothing was stored; send the request again.'));
    const expected = ['write stored whose answer says that nothing was stored'];
    assert.deepEqual(kinds([denied], stored([employee], [denied])), expected);
  });
});

describe('the changes of a document', () => {
  test('leave the last that was acknowledged', () => {
    const [first, last] = [update('w2', acknowledged({})), update('w3', acknowledged(changed))];
    assert.deepEqual(kinds([first, last], stored([changed], [first, last])), []);
  });
  test('leave one that was sent after the last acknowledged one', () => {
    const [first, later] = [update('w2', acknowledged({})), update('w3', unknown())];
    assert.deepEqual(kinds([first, later], stored([changed], [first, later])), []);
  });
  test('may not leave one that was sent before the last acknowledged one', () => {
    const [early, last] = [update('w3', unknown()), update('w4', acknowledged({}))];
    assert.deepEqual(kinds([early, last], stored([changed], [early, last])), ['acknowledged write lost']);
  });
  test('may not leave a value that was never sent', () => {
    const sent = update('w8', unknown());
    assert.deepEqual(kinds([sent], stored([changed], [])), ['stored otherwise than sent']);
  });
  test('have one audit row each at most', () => {
    const sent = update('w3', acknowledged(changed));
    assert.deepEqual(kinds([sent], stored([changed], [sent, sent])), ['wrong number of audit rows']);
  });
});

test('a request that writes nothing must not be audited', () => {
  const dryRun = write({ mark: 'dry-1' });
  const expected = ['audit row of a request that writes nothing'];
  assert.deepEqual(kinds([], stored([], [dryRun])), expected);
});
