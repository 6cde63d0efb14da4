import { apiClient } from '../../packages/server/test/support/client.ts';
import { signedInUser } from '../../packages/server/test/support/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const rounds = 24;
const createsAtOnce = 6;

/** Has users make API keys while the platform takes their permission: no key may be audited after that. */
export async function attackPermissions(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql, testData } = target;
  const service = await target.start();
  const portal = apiClient(service.url, { api: 'portal' });
  const findings: string[] = [];
  let made = 0;
  for (let round = 1; round <= rounds; round++) {
    const { user, secret: key } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
    const wanted = { name: `Round ${round}`, wholeOrganization: true };
    const creates = Array.from({ length: createsAtOnce }, () => portal.post('/api-keys', wanted, { key }));
    // Somewhere in the middle of these, earlier or later from round to round.
    for (let write = 0; write < round * 3; write++) await new Promise(setImmediate);
    const cut = sql<{ at: Date }[]>`
      UPDATE portal_user SET permissions = '{HR}', hr_tenants = '{}'
      WHERE organization_id = ${testData.organization} AND id = ${user.id} RETURNING clock_timestamp() AS at`;
    const [answers, [row]] = await Promise.all([Promise.all(creates), cut]);
    made += answers.filter(({ status }) => status === 201).length;
    const [late] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM audit
      WHERE organization_id = ${testData.organization} AND actor = ${user.id} AND action = 'key.create' AND at > ${row!.at}`;
    if (late!.n > 0)
      findings.push(`round ${round}: ${late!.n} keys were audited after the permission was taken`);
  }
  portal.close();
  log(`${made} keys were made in ${rounds} rounds`);
  return { findings, figures: { rounds, requests: rounds * createsAtOnce, made } };
}
