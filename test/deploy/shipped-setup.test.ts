import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { startServiceProcess } from '../../packages/server/test/support/service/kontor.ts';
import { insertTestData } from '../../packages/server/test/support/data/test-data.ts';
import { noNginx, startNginx } from './nginx.ts';

/** The variables that deploy/kontor.service sets, but for the place of the data. */
async function unitVariables(): Promise<Record<string, string>> {
  const unit = await readFile(new URL('../../deploy/kontor.service', import.meta.url), 'utf8');
  const [, line] = /^Environment=(.*)$/m.exec(unit)!;
  const { KONTOR_DATA_DIR: _, ...variables } = Object.fromEntries(
    line!.split(' ').map(pair => pair.split('=') as [string, string]),
  );
  return variables;
}

test(
  'behind deploy/nginx.conf, with the variables of deploy/kontor.service, the audited address is that of the client',
  { skip: noNginx },
  async () => {
    await using resources = new AsyncDisposableStack();
    const testing = await testDatabase();
    resources.defer(() => testing.drop());
    const testData = await insertTestData(testing.database.sql);
    const variables = { ...(await unitVariables()), DATABASE_URL: testing.url };
    const service = await startServiceProcess({ variables });
    resources.defer(() => service.end('SIGTERM'));
    const nginx = await startNginx(service.url);
    resources.defer(() => nginx.stop());
    const client = '127.0.0.77';
    const sent = request(`${nginx.url}/v1/employees`, {
      method: 'POST',
      agent: false,
      localAddress: client,
      rejectUnauthorized: false,
      headers: {
        'X-API-Key': testData.keys.all,
        'Content-Type': 'application/json',
        // What a client writes there itself is not believed.
        'X-Forwarded-For': '198.51.100.1',
      },
    });
    const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };
    sent.end(JSON.stringify({ ...person, divisionId: testData.north }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = (await json(answer)) as { id: string };
    assert.equal(answer.statusCode, 201, JSON.stringify(body));
    const rows = await testing.database.sql<{ address: string }[]>`
      SELECT address FROM audit WHERE target_id = ${body.id}`;
    assert.deepEqual(
      rows.map(({ address }) => address),
      [client],
    );
  },
);
