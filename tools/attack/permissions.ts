import { createTenant } from '../../packages/server/src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { importSteps } from '../../packages/server/test/support/data/employee-imports.ts';
import { signedInUser } from '../../packages/server/test/support/data/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget, type Target } from './target.ts';

const rounds = 24;
const createsAtOnce = 6;

const importRounds = 8;
const importedRows = 1000;

/** Has users make API keys, and import employees, while the platform takes their permission: nothing may be audited after that. */
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
  log(`${made} keys were made in ${rounds} rounds`);
  const imported = await attackImports(target, portal, findings);
  log(`${imported} of ${importRounds * importedRows} employees were imported in ${importRounds} rounds`);
  portal.close();
  return {
    findings,
    figures: { rounds, requests: rounds * createsAtOnce, made, imports: importRounds, imported },
  };
}

/** Returns how many employees were imported before the cuts. */
async function attackImports(
  { sql, testData: { organization } }: Target,
  portal: ApiClient,
  findings: string[],
): Promise<number> {
  let imported = 0;
  const { secret: reader } = await signedInUser(sql, organization, { permissions: ['HR'], hrTenants: null });
  for (let round = 1; round <= importRounds; round++) {
    const tenant = await createTenant(sql.database.writes, organization, `Round ${round}`);
    const { user, secret } = await signedInUser(sql, organization, { permissions: ['HR'], hrTenants: null });
    const steps = importSteps(portal, secret);
    const lines = Array.from({ length: importedRows }, (_, n) => `r${round}.${n}@example.com;Mia;Lang`);
    const { id } = await steps.plan(tenant, `email;firstName;lastName\n${lines.join('\n')}\n`);
    await steps.post(id, 'apply');
    const written = async (after: Date | null) => {
      const [found] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM audit WHERE organization_id = ${organization} AND actor = ${user.id}
          AND action = 'employee.create' AND (${after}::timestamptz IS NULL OR at > ${after})`;
      return found!.n;
    };
    while ((await written(null)) < 100 * (round % 4));
    const [cut] = await sql<{ at: Date }[]>`
      UPDATE portal_user SET permissions = '{IT}', hr_tenants = NULL
      WHERE organization_id = ${organization} AND id = ${user.id} RETURNING clock_timestamp() AS at`;
    await importSteps(portal, reader).settled(id);
    const late = await written(cut!.at);
    if (late > 0)
      findings.push(`import ${round}: ${late} employees were written after the permission was taken`);
    imported += (await written(null)) - late;
  }
  return imported;
}
