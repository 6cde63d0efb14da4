import type { Employee, Order } from '@kontor/contract';
import type { Random } from './random.ts';
import type { Answer } from './http-client.ts';
import { findByEmail, getEmployee, unknownId } from './reads.ts';
import type { Question } from './round.ts';
import { having, rejected, type Oracle } from './oracle.ts';
import type { TestData } from './fixture.ts';
import { newWrite, type Write } from './writes.ts';

/** What a dry run answers as the identifier of what it would have created. */
const dryId = '0'.repeat(24);

/** Begins the mark of a dry run, which must never be found in the database. */
export const dryMark = 'dry-';

/** A question, and what is to be called when it has been answered. */
export interface Change {
  readonly question: Question;
  readonly done: () => void;
}

/** Questions that write, or would if they were not dry runs or rejected. */
export class Changes {
  readonly #testData: TestData;
  readonly #random: Random;
  /** Employees without a change in progress: of two changes at once the last one would be unknown. */
  readonly #free: Employee[];
  readonly #orders: Order[];
  #number = 0;

  constructor(testData: TestData, random: Random) {
    this.#testData = testData;
    this.#random = random;
    this.#free = [...testData.changing];
    this.#orders = [...testData.orders];
  }

  createEmployee(): Question {
    const { key } = this.#testData;
    const fields = this.#newEmployee(this.#mark());
    const write = newWrite({ resourceType: 'employee', mark: fields.email, target: null, fields });
    const next = ({ body }: Answer) =>
      this.#random.next() < 0.5 ? getEmployee(key, body) : findByEmail(key, body);
    return this.#post('create employee', '/employees', fields, { oracle: created(fields), write, next });
  }

  createDivision(): Question {
    const name = this.#mark();
    const fields = { name, parentId: this.#testData.division.id };
    const write = newWrite({ resourceType: 'division', mark: name, target: null, fields });
    const again = rejected(409, 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL');
    const next = () =>
      this.#post('division of a name that is taken', '/divisions', fields, { oracle: again });
    return this.#post('create division', '/divisions', fields, { oracle: created(fields), write, next });
  }

  createIncident(): Question {
    const description = this.#mark();
    const fields = this.#newIncident(description);
    const write = newWrite({ resourceType: 'incident', mark: description, target: null, fields });
    return this.#post('create incident', '/incidents', fields, { oracle: created(fields), write });
  }

  /** Null when all employees are being changed. */
  updateEmployee(): Change | null {
    const employee = this.#free.shift();
    if (!employee) return null;
    const city = this.#mark();
    const { updatedAt: _, ...rest } = employee;
    const fields = { ...rest, city };
    const write = newWrite({ resourceType: 'employee', mark: city, target: employee.id, fields });
    const next = ({ body }: Answer) => getEmployee(this.#testData.key, body);
    const question = { ...this.#patch(employee, city, having(200, fields)), write, next };
    return { question, done: () => this.#free.push(employee) };
  }

  /** Null when all orders are decided. */
  decideOrder(): Question | null {
    const order = this.#orders.shift();
    if (!order) return null;
    const comment = this.#mark();
    const fields = { id: order.id, status: this.#random.pick(['approved', 'rejected']) };
    const write = newWrite({ resourceType: 'employee_order', mark: comment, target: order.id, fields });
    const body = { decision: fields.status, comment };
    const path = `/orders/${order.id}/decision`;
    const again = rejected(409, 'ORDER_ALREADY_DECIDED');
    const next = () => this.#post('decide again', path, body, { oracle: again });
    return this.#post('decide order', path, body, { oracle: decided(fields, comment), write, next });
  }

  dryRun(): Question {
    const mark = `${dryMark}${this.#mark()}`;
    const { undecided, division, stable } = this.#testData;
    const employee = this.#newEmployee(mark);
    const incident = this.#newIncident(mark);
    const { updatedAt: _, ...rest } = this.#random.pick(stable);
    const decision = { decision: 'approved', comment: mark };
    const would = { id: undecided.id, status: 'approved' };
    return dry(
      this.#random.pick([
        this.#post('employee', '/employees', employee, { oracle: having(200, { id: dryId, ...employee }) }),
        this.#patch(rest, mark, having(200, { ...rest, city: mark })),
        this.#post('incident', '/incidents', incident, { oracle: having(200, { id: dryId, ...incident }) }),
        this.#post(
          'division',
          '/divisions',
          { name: mark, parentId: division.id },
          { oracle: having(200, { id: dryId, name: mark }) },
        ),
        this.#post('decision', `/orders/${undecided.id}/decision`, decision, {
          oracle: decided(would, mark),
        }),
      ]),
    );
  }

  /** Rejected because of something that does not change. */
  rejected(): Question {
    const { stable } = this.#testData;
    const taken = { ...this.#newEmployee(this.#mark()), email: this.#random.pick(stable).email };
    const placeless = { ...this.#newEmployee(this.#mark()), divisionId: unknownId };
    const incident = { ...this.#newIncident(this.#mark()), employeeId: unknownId };
    const duplicate = rejected(409, 'DUPLICATE_RESOURCE');
    const reference = rejected(422, 'INVALID_REFERENCE');
    return this.#random.pick([
      this.#post('email that is taken', '/employees', taken, { oracle: duplicate }),
      dry(this.#post('email that is taken', '/employees', taken, { oracle: duplicate })),
      this.#post('division that is not there', '/employees', placeless, { oracle: reference }),
      this.#post('employee that is not there', '/incidents', incident, { oracle: reference }),
      this.#patch({ id: unknownId }, this.#mark(), rejected(404, 'NOT_FOUND')),
    ]);
  }

  #mark(): string {
    this.#number += 1;
    return `w${this.#number}`;
  }

  #newEmployee(mark: string) {
    return { email: `${mark}@faults.example`, firstName: 'Neu', lastName: 'Angelegt', street: mark };
  }

  #newIncident(description: string) {
    return { employeeId: this.#random.pick(this.#testData.reporting).id, type: 'damage', description };
  }

  #patch({ id }: { id: string }, city: string, oracle: Oracle): Question {
    const body = { city };
    const path = `/employees/${id}`;
    return { name: 'update employee', method: 'PATCH', path, key: this.#testData.key, body, oracle };
  }

  #post(
    name: string,
    path: string,
    body: unknown,
    more: { oracle: Oracle; write?: Write; next?: (answer: Answer) => Question },
  ): Question {
    return { name, method: 'POST', path, key: this.#testData.key, body, ...more };
  }
}

function dry(question: Question): Question {
  return { ...question, name: `dry run of ${question.name}`, path: `${question.path}?dryRun=true` };
}

/** 201 with these fields, and the address of what was created. */
function created(fields: Readonly<Record<string, unknown>>): Oracle {
  const oracle = having(201, fields);
  return answer => {
    const address = String(answer.headers['location']);
    return oracle(answer) ?? (address.endsWith(`/${answer.body.id}`) ? null : `Location is ${address}`);
  };
}

/** 200 with the decided order. */
function decided(fields: Readonly<Record<string, unknown>>, comment: string): Oracle {
  const oracle = having(200, fields);
  return answer => {
    const text = answer.body?.hrHistory?.comment;
    return oracle(answer) ?? (text === comment ? null : `the comment is ${text}`);
  };
}
