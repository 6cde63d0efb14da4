import type { Employee } from '@kontor/contract';
import type { Random } from './random.ts';
import type { Question } from './round.ts';
import { exactly, page, rejected } from './oracle.ts';
import { surnames, type TestData } from './fixture.ts';

/** An identifier that nothing has. */
export const unknownId = 'f'.repeat(24);

/** Has the form of no key, so that the service need not ask the database. */
export const malformedKey = 'malformed key';

/** A short page, and one that is sent in several pieces. */
const listSizes = [30, 1000];
const pollSize = 10;

/** Requests that change nothing, with answers that are always the same. */
export class Reads {
  readonly #testData: TestData;
  readonly #random: Random;

  constructor(testData: TestData, random: Random) {
    this.#testData = testData;
    this.#random = random;
  }

  get(): Question {
    return getEmployee(this.#testData.key, this.#random.pick(this.#testData.stable));
  }

  list(): Question {
    const { stable } = this.#testData;
    const filter = `lastName = ${surnames.stable}`;
    const pageSize = this.#random.pick(listSizes);
    const oracle = page(stable.slice(0, pageSize), stable.length, pageSize);
    return this.#question('list', `/employees?${query({ filter, pageSize })}`, oracle);
  }

  byEmail(): Question {
    return findByEmail(this.#testData.key, this.#random.pick(this.#testData.stable));
  }

  /** What a poller asks who has come as far as one of those employees. */
  poll(): Question {
    const { stable } = this.#testData;
    const at = this.#random.integer(0, stable.length - 1);
    const behind = stable.slice(at + 1);
    const filter = `lastName = ${surnames.stable} AND ${behindFilter(stable[at]!)}`;
    const oracle = page(behind.slice(0, pollSize), behind.length, pollSize);
    const path = `/employees?${query({ filter, sort: 'updatedAt', pageSize: pollSize })}`;
    return this.#question('poll', path, oracle);
  }

  health(): Question {
    return this.#question('health', '/health', exactly(200, { status: 'ok', version: '1.0.0' }));
  }

  unknown(): Question {
    const resourceType = this.#random.pick(['employees', 'orders', 'incidents', 'divisions']);
    return this.#question('unknown id', `/${resourceType}/${unknownId}`, rejected(404, 'NOT_FOUND'));
  }

  retiredKey(): Question {
    return { ...this.#withoutRights('deleted key'), key: this.#testData.retiredKey };
  }

  malformedKey(): Question {
    return { ...this.#withoutRights(malformedKey), key: 'kontor' };
  }

  #withoutRights(name: string): Question {
    return this.#question(
      name,
      `/employees/${this.#testData.stable[0]!.id}`,
      rejected(401, 'INVALID_API_KEY'),
    );
  }

  #question(name: string, path: string, oracle: Question['oracle']): Question {
    return { name, method: 'GET', path, key: this.#testData.key, oracle };
  }
}

/** Reads an employee that is known to be exactly this. */
export function getEmployee(key: string, employee: Employee): Question {
  return {
    name: 'get',
    method: 'GET',
    path: `/employees/${employee.id}`,
    key,
    oracle: exactly(200, employee),
  };
}

/** Finds an employee that is known to be exactly this. */
export function findByEmail(key: string, employee: Employee): Question {
  const path = `/employees?${query({ filter: `email = ${employee.email}` })}`;
  return { name: 'find by email', method: 'GET', path, key, oracle: page([employee], 1, 100) };
}

/** What comes behind a row in the order of `updatedAt` (specification.md 3.7). */
export function behindFilter({ updatedAt, id }: { updatedAt: string; id: string }): string {
  return `updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`;
}

export function query(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}
