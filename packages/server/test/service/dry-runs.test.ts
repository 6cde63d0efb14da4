import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allOperations } from '@kontor/contract';
import { connect, type Database } from '../../src/database/connect.ts';
import { withDatabase } from '../../src/database/target.ts';
import { files, incidentWorld, type IncidentWorld } from '../incidents/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/client.ts';
import { storeOrders, orderInput } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { invitedUser, signedInUser } from '../support/users.ts';
import { testToken } from '../support/tokens.ts';

const query = { dryRun: true };

describe('a dry run needs no connection of those that wait for their turn', () => {
  let scene: IncidentWorld;
  let nowhere: Database;
  let service: TestService;
  let client: ApiClient;
  let platform: ApiClient;
  let portal: ApiClient;
  let ids: { employee: string; order: string; incident: string; key: string; user: string };
  before(async () => {
    scene = await incidentWorld();
    const { world, sql } = scene;
    const { id: incident, employeeId: employee } = await scene.reported();
    const target = { organizationId: world.organization, tenantId: world.tenantA };
    const [order] = await storeOrders(sql, target, [orderInput({ employeeId: employee })]);
    const { id: user } = await invitedUser(sql, world.organization);
    ids = { employee, order: order!.id, incident, key: world.keys.all.split('_')[1]!, user };
    nowhere = connect(withDatabase({ url: scene.database.url }, 'nowhere'));
    service = await startService(sql, { writes: nowhere.writes });
    client = apiClient(service.url, { key: world.keys.tenantA });
    const { secret } = await signedInUser(sql, world.organization);
    portal = apiClient(service.url, { api: 'portal', key: secret });
    platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  });
  after(async () => {
    client?.close();
    platform?.close();
    portal?.close();
    await service?.stop();
    await nowhere?.close();
    await scene?.close();
  });

  const name = 'Neu';
  const inside = (path: string) => `/organizations/${scene.world.organization}${path}`;
  const writes: Record<string, () => Promise<Answer<unknown>>> = {
    createEmployee: () => {
      const person = { email: 'a@example.com', firstName: 'A', lastName: 'B' };
      return client.post('/employees', person, { query });
    },
    updateEmployee: () => client.patch(`/employees/${ids.employee}`, { city: 'Kiel' }, { query }),
    createDivision: () => client.post('/divisions', { name }, { query }),
    updateDivision: () => client.patch(`/divisions/${scene.world.sales}`, { name }, { query }),
    decideOrder: () => client.post(`/orders/${ids.order}/decision`, { decision: 'approved' }, { query }),
    createIncident: () => client.post('/incidents', { employeeId: ids.employee, type: 'loss' }, { query }),
    updateIncident: () => client.patch(`/incidents/${ids.incident}`, { type: 'loss' }, { query }),
    uploadIncidentAttachment: () =>
      client.upload(
        `/incidents/${ids.incident}/attachments`,
        { bytes: files['application/pdf'], fileName: 'a.pdf' },
        { query },
      ),
    createTenant: () => platform.post(inside('/tenants'), { name }, { query }),
    createApiKey: () => platform.post(inside('/api-keys'), { name, wholeOrganization: true }, { query }),
    deleteApiKey: () => platform.request('DELETE', inside(`/api-keys/${ids.key}`), { query }),
    deactivateApiKey: () => platform.request('POST', inside(`/api-keys/${ids.key}/deactivation`), { query }),
    reactivateApiKey: () => platform.request('POST', inside(`/api-keys/${ids.key}/reactivation`), { query }),
    replaceApiKey: () => platform.post(inside(`/api-keys/${ids.key}/replacement`), {}, { query }),
    createUser: () => {
      const person = { email: 'a@example.com', name, language: 'de', permissions: ['IT'] };
      return platform.post(inside('/users'), person, { query });
    },
    updateUser: () => platform.patch(inside(`/users/${ids.user}`), { name }, { query }),
    deleteUser: () => platform.request('DELETE', inside(`/users/${ids.user}`), { query }),
    inviteUser: () => platform.request('POST', inside(`/users/${ids.user}/invitation`), { query }),
    deactivateUser: () => platform.request('POST', inside(`/users/${ids.user}/deactivation`), { query }),
    reactivateUser: () => platform.request('POST', inside(`/users/${ids.user}/reactivation`), { query }),
    createPortalApiKey: () => portal.post('/api-keys', { name, wholeOrganization: true }, { query }),
    deletePortalApiKey: () => portal.request('DELETE', `/api-keys/${ids.key}`, { query }),
    deactivatePortalApiKey: () => portal.request('POST', `/api-keys/${ids.key}/deactivation`, { query }),
    reactivatePortalApiKey: () => portal.request('POST', `/api-keys/${ids.key}/reactivation`, { query }),
    replacePortalApiKey: () => portal.post(`/api-keys/${ids.key}/replacement`, {}, { query }),
    activateEmployee: () =>
      platform.request('POST', inside(`/employees/${ids.employee}/activation`), { query }),
  };

  test('these are all writes', () => {
    const supported = allOperations.filter(({ operation }) => 'dryRun' in operation.query.properties);
    assert.deepEqual(Object.keys(writes).sort(), supported.map(({ id }) => id).sort());
  });
  for (const [id, send] of Object.entries(writes))
    test(id, async () => assert.equal((await send()).status, 200));
});
