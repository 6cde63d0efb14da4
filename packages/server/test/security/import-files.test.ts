import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTenant } from '../../src/features/organizations/store.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { longestBlock } from '../support/service/longest-block.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from '../portal/support.ts';
import { hostileFiles } from './hostile-files.ts';

let key: string;
let steps: ReturnType<typeof importSteps>;
const fixture = usePortal(async ({ sql, portal, testData }) => {
  const hr = { permissions: ['HR' as const], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, hr)).secret;
  steps = importSteps(portal, key);
});

/** Milliseconds of CPU time that a turn may take. 0.2.0 took over 100 for each of these files, and minutes for the last one. */
const allowed = 100;

for (const [name, file] of Object.entries(hostileFiles))
  test(
    `a file of ${name} is uploaded, read eight times at once and planned in short turns`,
    { timeout: 60_000 },
    async t => {
      const { sql, testData } = fixture;
      const tenant = await createTenant(
        sql.database.writes,
        testData.organization,
        `Muster ${Math.random()}`,
      );
      // The first file compiles the code.
      const { id } = await steps.plan(
        await createTenant(sql.database.writes, testData.organization, `Muster ${Math.random()}`),
        'email;employeeNumber\na;b\n',
      );
      await steps.post(id, 'discard');
      let uploaded = '';
      const blocks = {
        upload: await longestBlock(async () => void (uploaded = (await steps.upload(tenant, file)).body.id)),
        details: await longestBlock(() =>
          Promise.all(Array.from({ length: 8 }, () => steps.details(uploaded))),
        ),
        plan: await longestBlock(async () => {
          const { mapping } = await steps.details(uploaded);
          await steps.post(uploaded, 'plan', mapping);
          await steps.settled(uploaded);
        }),
      };
      t.diagnostic(JSON.stringify(blocks));
      for (const [step, { longest }] of Object.entries(blocks))
        assert.ok(longest < allowed, `one turn of the event loop took ${longest.toFixed()} ms (${step})`);
    },
  );
