import fc from 'fast-check';
import { allOperations, type DeclaredOperation, type Filter, printFilter } from '@kontor/contract';
import { filters, nastyText } from '../../packages/contract/test/support/arbitraries.ts';
import { apiClient } from '../../packages/server/test/support/contract/client.ts';
import { storeEmployees } from '../../packages/server/test/support/data/employees.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const requests = 10_000;
const atOnce = 8;

const lists = allOperations.filter(({ apiName, operation }) => apiName === 'public' && operation.fields);

/** Sends odd filters, sorts and pages to the lists of the public API: no answer may be a fault of the service. */
export async function attackFilters(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  await storeEmployees(
    target.sql,
    target.testData.organization,
    Array.from({ length: 50 }, (_, n) => ({ lastName: `Å${n}` })),
  );
  const service = await target.start();
  const client = apiClient(service.url, { key: target.testData.keys.all });
  const statuses: Record<string, number> = {};
  const findings: string[] = [];
  const each = Math.ceil(requests / lists.length);
  for (const list of lists) {
    const samples = fc.sample(query(list), each);
    const next = samples.values();
    const work = async () => {
      for (const sample of next) {
        const { status } = await client.get(list.operation.path, { query: sample }).catch((error: Error) => {
          findings.push(`${list.id} ${JSON.stringify(sample)}: ${error.message}`);
          return { status: 0 };
        });
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 500) findings.push(`${list.id} ${JSON.stringify(sample)}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    log(`${list.id}: ${each} requests`);
  }
  client.close();
  return { findings, figures: { requests: each * lists.length, ...statuses } };
}

function query({ operation }: DeclaredOperation): fc.Arbitrary<Record<string, string>> {
  const fields = operation.fields!;
  const odd = fc.oneof(
    filters(fields).map(printed),
    nastyText.filter(text => text !== '' && text.isWellFormed()),
    fc.tuple(filters(fields), fc.nat(), fc.string({ maxLength: 3 })).map(([filter, at, text]) => {
      const whole = printed(filter);
      const index = at % (whole.length + 1);
      return (whole.slice(0, index) + text + whole.slice(index + 1)).toWellFormed() || 'x';
    }),
  );
  const filter = odd.filter(text => encodeURIComponent(text).length < 8000);
  return fc.record({ filter, sort: fc.constantFrom(...fields.keys()) }, { requiredKeys: ['filter'] });
}

/** The text of a filter; one that the language cannot write is sent as something else. */
function printed(filter: Filter): string {
  try {
    return printFilter(filter);
  } catch {
    return `"${JSON.stringify(filter).slice(0, 200).toWellFormed()}`;
  }
}
