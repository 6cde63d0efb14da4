import { createOrganization } from '../../packages/server/src/features/organizations/store.ts';
import { apiClient } from '../../packages/server/test/support/contract/client.ts';
import { signedInUser } from '../../packages/server/test/support/data/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

/** More than an organization may make in an hour. */
const requests = 600;

/** Has a user try to use up the limit of new keys, by rejected requests, by dry runs and by keys: another user still replaces a key. */
export async function attackKeyLimit(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql } = target;
  const service = await target.start();
  const portal = apiClient(service.url, { api: 'portal' });
  const organization = await createOrganization(sql, 'Leaked');
  const signIn = async () => (await signedInUser(sql, organization, { permissions: ['IT'] })).secret;
  const [attacker, victim] = [await signIn(), await signIn()];
  const wanted = { name: 'Key', wholeOrganization: true };
  const leaked = (await portal.post('/api-keys', wanted, { key: victim })).body.id as string;
  const replace = (id: string, key: string, query = {}) =>
    portal.post(`/api-keys/${id}/replacement`, {}, { key, query });
  const attempts = {
    'rejected dry runs': () => replace('0'.repeat(12), attacker, { dryRun: true }),
    'dry runs': () => portal.post('/api-keys', wanted, { key: attacker, query: { dryRun: true } }),
    keys: () => portal.post('/api-keys', wanted, { key: attacker }),
  };
  const findings: string[] = [];
  let replaced = leaked;
  for (const [name, attempt] of Object.entries(attempts)) {
    for (let n = 0; n < requests; n++) await attempt();
    const { status, body } = await replace(replaced, victim);
    if (status === 201) replaced = body.id;
    else findings.push(`after ${requests} ${name} of a user, another one replaces a key: ${status}`);
    log(`${requests} ${name}: another user replaces a key: ${status}`);
  }
  portal.close();
  return { findings, figures: { requests: requests * Object.keys(attempts).length } };
}
