import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { storeEmployees } from '../../packages/server/test/support/data/employees.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { signedInUser } from '../../packages/server/test/support/data/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const entries = 600_000;
const atOnce = 60;
const seconds = 20;

/** The p99 of the others may be so many times that without the attack. */
const maxFactor = 3;

/** Has one portal user search the audit log in 60 requests at once, all the time: the users of another organization must hardly notice. */
export async function attackAuditSearches(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql, testData } = target;
  const { organization, foreign } = testData;
  await fillAudit(sql, organization);
  await storeEmployees(sql, foreign.organization, [{ tenant: foreign.tenant, lastName: 'Other' }]);
  const attacker = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
  const other = await signedInUser(sql, foreign.organization, { permissions: ['HR'], hrTenants: null });
  const service = await target.start();
  const portal = apiClient(service.url, { api: 'portal' });
  await measure(portal, other.secret, 3);
  const quiet = await measure(portal, other.secret, seconds);
  const over = new AbortController();
  const searches = Promise.all(
    Array.from({ length: atOnce }, (_, n) => searchUntil(over.signal, portal, attacker.secret, n)),
  );
  const attacked = await measure(portal, other.secret, seconds);
  over.abort();
  const statuses = (await searches).flat();
  portal.close();
  const factor = attacked.p99 / quiet.p99;
  log(
    `another organization: p99 ${quiet.p99.toFixed(1)} ms, during the attack ${attacked.p99.toFixed(1)} ms`,
  );
  const findings = attacked.failed > 0 ? [`${attacked.failed} requests of another organization failed`] : [];
  if (factor > maxFactor)
    findings.push(`the p99 of another organization is ${factor.toFixed(1)} times as long`);
  const succeeded = statuses.filter(status => status === 200).length;
  if (succeeded === 0) findings.push('no search of the attacker was answered');
  const odd = statuses.filter(status => status !== 200 && status !== 503);
  if (odd.length > 0) findings.push(`searches were answered ${[...new Set(odd)].join(', ')}`);
  return {
    findings,
    figures: {
      entries,
      searches: statuses.length,
      answered: succeeded,
      'requests of others': attacked.count,
      'p99 quiet, ms': quiet.p99.toFixed(1),
      'p99 attacked, ms': attacked.p99.toFixed(1),
      times: factor.toFixed(1),
    },
  };
}

async function fillAudit(sql: Sql, organizationId: string): Promise<void> {
  await sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
    SELECT ${organizationId}, now() - n * interval '1 second', substr(md5('t' || n), 1, 24), 'employee.update', 'operator', '{city}',
      substr(md5(n::text), 1, 24), 'operator', 'operator', 'operator'
    FROM generate_series(1, ${entries}::int) AS n`;
  await sql.unsafe('VACUUM ANALYZE audit');
}

/** Searches that no index serves, one after the other. */
async function searchUntil(over: AbortSignal, portal: ApiClient, key: string, n: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let search = 1; !over.aborted; search++) {
    const filter = `targetId CONTAINS 'x${n}.${search}'`;
    statuses.push((await portal.post('/audit-entries/search', { filter }, { key })).status);
  }
  return statuses;
}

/** Sends the reads of two open pages of the portal. */
async function measure(
  portal: ApiClient,
  key: string,
  time: number,
): Promise<{ p99: number; count: number; failed: number }> {
  const durations: number[] = [];
  let failed = 0;
  const end = performance.now() + time * 1000;
  async function page(): Promise<void> {
    const requests = [
      () => portal.get('/session', { key }),
      () => portal.post('/employees/search', {}, { key }),
      () => portal.get('/summary', { key }),
    ];
    for (let n = 0; performance.now() < end; n++) {
      const began = performance.now();
      const { status } = await requests[n % requests.length]!();
      durations.push(performance.now() - began);
      if (status !== 200) failed++;
    }
  }
  await Promise.all([page(), page()]);
  durations.sort((one, other) => one - other);
  return { p99: durations[Math.floor(durations.length * 0.99)]!, count: durations.length, failed };
}
