import { createTenant } from '../../packages/server/src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { hostileFiles } from '../../packages/server/test/security/hostile-files.ts';
import { importSteps } from '../../packages/server/test/support/data/employee-imports.ts';
import { signedInUser } from '../../packages/server/test/support/data/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

/** Clients of the others that read at once, and reads of each in a measurement. */
const others = 8;
const reads = 400;
/** How often the p99 of the others may grow. */
const allowed = 3;

const maxRows = 100_000;

const files = {
  ...hostileFiles,
  '100,000 rows with errors': `email;employeeNumber\n${'a;b\n'.repeat(maxRows)}`,
};

/** Uploads hostile files, reads each import eight times at once, and plans it again and again: reads of another key go on, and the database stays small. */
export async function attackImports(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql, testData } = target;
  const service = await target.start();
  const client = apiClient(service.url, { key: testData.keys.all });
  const portal = apiClient(service.url, { api: 'portal' });
  const { secret } = await signedInUser(sql, testData.organization, { permissions: ['HR'], hrTenants: null });
  const steps = importSteps(portal, secret);
  const findings: string[] = [];
  const figures: AttackResult['figures'] = {};
  const newTenant = () => createTenant(sql.database.writes, testData.organization, `Import ${Math.random()}`);
  await measureOthers(client, async () => {});
  const calm = await measureOthers(client, async () => {});
  figures['p99 without an attack, ms'] = calm.toFixed(1);

  const tooMany = await steps.upload(await newTenant(), 'a\n'.repeat(2_450_000));
  if (tooMany.body.failure?.reason !== 'too_many_rows') findings.push('2,450,000 rows are not rejected');

  for (const [name, file] of Object.entries(files)) {
    const { body } = await steps.upload(await newTenant(), file);
    const { mapping } = await steps.details(body.id);
    const reading = await measureOthers(client, async over => {
      const read = async () => {
        while (!over.aborted) await steps.details(body.id);
      };
      await Promise.all(Array.from({ length: 8 }, read));
    });
    const planning = await measureOthers(client, async over => {
      while (!over.aborted && (await steps.post(body.id, 'plan', mapping)).status === 200)
        await steps.settled(body.id);
    });
    for (const [step, p99] of Object.entries({ reading, planning })) {
      figures[`${name}, ${step}, ms`] = p99.toFixed(1);
      if (p99 > allowed * calm)
        findings.push(
          `${name}, ${step}: the p99 of the others is ${p99.toFixed(1)} ms, not ${calm.toFixed(1)}`,
        );
    }
    log(`${name}: ${reading.toFixed(1)} and ${planning.toFixed(1)} ms, ${calm.toFixed(1)} without an attack`);
    await steps.settled(body.id);
  }
  const [size] = await sql<{ bytes: string }[]>`
    SELECT pg_total_relation_size('employee_import_row') + pg_total_relation_size('employee_import_file') AS bytes`;
  const megabytes = Number(size!.bytes) / 1e6;
  figures['tables of imports, MB'] = megabytes.toFixed(1);
  if (megabytes > 50) findings.push(`the tables of imports have ${megabytes.toFixed()} MB`);
  client.close();
  portal.close();
  return { findings, figures };
}

/** The p99 of the others' reads during an attack, in milliseconds. */
async function measureOthers(
  client: ApiClient,
  attack: (over: AbortSignal) => Promise<void>,
): Promise<number> {
  const over = new AbortController();
  const attacking = attack(over.signal);
  const times: number[] = [];
  const readAll = async () => {
    for (let n = 0; n < reads; n++) {
      const began = performance.now();
      await client.get('/employees', { query: { pageSize: 10 } });
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: others }, readAll));
  over.abort();
  await attacking;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
