import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allOperations, type Employee, type Order, orderStatuses } from '@kontor/contract';
import { connect, type Database } from '../../src/db/connect.ts';
import { advance, files, incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { storePlannedImport } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { storeIncident } from '../support/data/incidents.ts';
import { contractInput, orderInput, storeContractChanges, storeOrders } from '../support/data/orders.ts';
import { storeDraftRun, storePayrollProposal, storePayrollSettings } from '../support/data/payroll-runs.ts';
import { someMail, startService, type TestService } from '../support/service/service.ts';
import { invitedUser, signedInUser } from '../support/data/users.ts';
import { testToken } from '../support/data/tokens.ts';
import { withDatabase } from '../support/database/target-url.ts';
import { readWholeDatabase } from '../support/database/whole-database.ts';

const query = { dryRun: true };

const name = 'Neu';
const zeros = { id: '0'.repeat(24) };
const dryRunKey = { id: '0'.repeat(12), name, status: 'active', key: null };
const invited = { status: 'invited', link: null };
const person = { email: 'a@example.com', firstName: 'A', lastName: 'B' };
const file = { fileName: 'a.pdf', mediaType: 'application/pdf' };
const settlement = {
  month: '2026-10',
  kind: 'taxable_benefit',
  meaning: 'not_owed',
  amount: '8.00',
  reason: name,
};
const payrollRun = { period: '2026-10', formats: ['csv'] };
const contractEnd = { lastDay: '2026-12-31', reason: 'returned' };
const contractVersion = { from: '2026-10', leasingRate: '97.00' };
const contractChanges = (api: '' | 'Portal') => ({
  [`record${api}ContractEnd`]: { contractRecord: { endHistory: [contractEnd] } },
  [`withdraw${api}ContractEnd`]: { order: { contract: { endDate: '2029-09-30' } } },
  [`record${api}ContractVersion`]: { contractRecord: { versions: [{ ...contractVersion, ...zeros }] } },
  [`withdraw${api}ContractVersion`]: { contractRecord: { amounts: [{ leasingRate: '98.10' }] } },
});

const proposals = (api: '' | 'Portal') => ({
  [`propose${api}PayrollSettlement`]: { settlement: { amount: '8.00' }, status: 'open', ...zeros },
  [`propose${api}PayrollSettings`]: { changes: [{ field: 'cutOffDay', before: null, after: '9' }], ...zeros },
  [`decide${api}PayrollProposal`]: { status: 'confirmed' },
});

/** The answer to the dry run of each write: the state after it, zeros for an identifier, and no secret. */
const shown: Record<string, object> = {
  createEmployee: { ...person, ...zeros },
  updateEmployee: { city: 'Kiel' },
  createDivision: { name, ...zeros },
  updateDivision: { name },
  decideOrder: { status: 'approved' },
  createIncident: { type: 'loss', status: 'draft', ...zeros },
  updateIncident: { type: 'loss' },
  uploadIncidentAttachment: { ...file, ...zeros },
  createOrganization: { name, ...zeros },
  createTenant: { name, ...zeros },
  updateTenant: { decisionDays: 30 },
  updateAuditRetention: { days: 90 },
  eraseEmployee: { possible: true },
  createApiKey: dryRunKey,
  deleteApiKey: { status: 'deleted' },
  deactivateApiKey: { status: 'inactive' },
  reactivateApiKey: { status: 'active' },
  replaceApiKey: { ...dryRunKey, name: 'test' },
  createUser: { name, ...invited, ...zeros },
  updateUser: { name },
  deleteUser: { status: 'invited' },
  inviteUser: invited,
  deactivateUser: { status: 'inactive' },
  reactivateUser: { status: 'invited' },
  createPortalEmployee: { ...person, ...zeros },
  activatePortalEmployee: { activated: true },
  changePortalEmployeeEmail: { email: 'neu@example.com' },
  blockPortalEmployee: { blocked: true },
  erasePortalEmployee: { possible: true },
  createPortalDivision: { name, ...zeros },
  updatePortalDivision: { name },
  movePortalDivision: { division: { parentId: null }, divisions: 2 },
  setPortalDecisionRule: { approveUpTo: '120.00', version: 2 },
  removePortalDecisionRule: { approveUpTo: '1.00', version: 1 },
  updatePortalEmployee: { city: 'Kiel' },
  uploadEmployeeImport: { status: 'uploaded', fileName: 'people.csv', ...zeros },
  planEmployeeImport: { status: 'planning' },
  answerEmployeeImport: { status: 'planned' },
  applyEmployeeImport: { status: 'applying' },
  discardEmployeeImport: { status: 'discarded' },
  decidePortalOrder: { status: 'approved' },
  ...contractChanges('Portal'),
  setPortalPayrollSettings: { cutOffDay: 9, version: 2 },
  createPortalPayrollReversal: { kind: 'reversal', status: 'computing', ...zeros },
  createPortalPayrollRun: { ...payrollRun, status: 'computing', ...zeros },
  releasePortalPayrollRun: { status: 'releasing' },
  discardPortalPayrollRun: { status: 'discarded' },
  createPortalPayrollSettlement: { ...settlement, ...zeros },
  ...proposals('Portal'),
  acknowledgePortalPayrollFinding: { reason: name },
  createPortalIncident: { incident: { type: 'loss', status: 'draft', ...zeros } },
  updatePortalIncident: { incident: { type: 'loss' } },
  uploadPortalIncidentAttachment: { ...file, ...zeros },
  updateOrganizationSettings: { name, maxKeyDays: 90, defaultKeyDays: 30 },
  updateOrganizationRetention: { auditDays: 400 },
  sendTestMail: { outcome: 'accepted' },
  updateNotificationSettings: { byMail: false },
  readNotifications: { until: '2026-09-02T08:15:30.123Z' },
  renamePortalTenant: { name },
  updatePortalTenantRetention: { otherDays: 30 },
  createPortalApiKey: dryRunKey,
  updatePortalApiKey: { name: 'test' },
  deletePortalApiKey: { status: 'deleted' },
  deactivatePortalApiKey: { status: 'inactive' },
  reactivatePortalApiKey: { status: 'active' },
  replacePortalApiKey: { ...dryRunKey, name: 'test' },
  createPortalUser: { name, ...invited, ...zeros },
  updatePortalUser: { name },
  deletePortalUser: { status: 'invited' },
  invitePortalUser: invited,
  deactivatePortalUser: { status: 'inactive' },
  reactivatePortalUser: { status: 'invited' },
  activateEmployee: { activated: true },
  activateEmployeeBatch: { items: [{ status: 200 }, { status: 422 }] },
  // The tenant, which platform/employees.test.ts compares.
  assignEmployee: { divisionId: null },
  changeEmployeeEmail: { email: 'neu@example.com' },
  blockEmployee: { blocked: true },
  createOrder: { status: 'under_review', ...zeros },
  createOrderBatch: { items: [{ status: 200, ...zeros }] },
  uploadOrderAttachment: { ...file, kind: 'invoice', ...zeros },
  recordOrderDecision: { status: 'rejected', hrHistory: { source: 'automatic' } },
  makeOrderReady: { status: 'ready_for_pickup' },
  handOverOrder: { status: 'active', contract: { startDate: '2026-10-01' } },
  completeOrder: { status: 'completed', contract: { endDate: '2026-12-31' } },
  ...contractChanges(''),
  cancelOrder: { status: 'cancelled' },
  expireOrder: { status: 'expired' },
  setPayrollSettings: { cutOffDay: 9, version: 2 },
  createPayrollReversal: { kind: 'reversal', status: 'computing', ...zeros },
  createPayrollRun: { ...payrollRun, status: 'computing', ...zeros },
  releasePayrollRun: { status: 'releasing' },
  discardPayrollRun: { status: 'discarded' },
  createPayrollSettlement: { ...settlement, ...zeros },
  ...proposals(''),
  acknowledgePayrollFinding: { reason: name },
  setDecisionRule: { approveUpTo: '120.00', version: 2 },
  removeDecisionRule: { approveUpTo: '1.00', version: 1 },
  applyDecisionRule: { inspected: 2 },
  startIncident: { status: 'in_progress', editable: false },
  resolveIncident: { status: 'resolved', editable: false },
  rejectIncident: { status: 'rejected', editable: false },
  cancelIncident: { status: 'cancelled', editable: false },
  withdrawPortalIncident: { status: 'cancelled', editable: false },
  attachIncidentFile: { ...file, ...zeros },
  removeIncidentFile: { attachments: [] },
  removePortalIncidentFile: { attachments: [] },
  recordIncidentLeave: { incident: { effectiveTo: '2026-12-31' }, bikeReturned: true },
  recordPortalIncidentLeave: { incident: { effectiveTo: '2026-12-31' }, bikeReturned: true },
};

describe('a dry run shows what the write would answer, changes nothing, and needs no connection of the waiting writes', () => {
  let scene: IncidentTestData;
  let nowhere: Database;
  let service: TestService;
  let client: ApiClient;
  let platform: ApiClient;
  let portal: ApiClient;
  let unassigned: Employee | undefined;
  let ids: Record<
    | 'employee'
    | 'anonymous'
    | 'colleague'
    | 'incident'
    | 'processed'
    | 'leave'
    | 'key'
    | 'user'
    | 'run'
    | 'proposal'
    | 'import',
    string
  >;
  /** The path of a file of an incident. */
  let evidencePath: string;
  /** A version of the completed order, which also has an early end. */
  let version: string;
  /** The path of the rule of a tenant that has one. */
  let rule: string;
  /** An order in each state. */
  let orders: Record<Order['status'], string>;
  before(async () => {
    scene = await incidentTestData();
    const { testData, sql } = scene;
    const { id: incident, employeeId: employee } = await scene.reported();
    const { id: processed } = await scene.reported();
    await advance(sql, processed, 'in_progress');
    const { id: leave } = await scene.reported({ type: 'parental_leave', effectiveFrom: '2026-09-01' });
    const place = { organization: testData.organization, tenant: testData.tenantA };
    const evidenced = await storeIncident(sql, place);
    evidencePath = `/incidents/${evidenced.id}/attachments/${evidenced.attachments[0]!.id}`;
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const { id: user } = await invitedUser(sql, testData.organization);
    rule = `/tenants/${testData.tenantA}/decision-rule`;
    await sql`
      INSERT INTO decision_rule (organization_id, tenant_id, version, approve_up_to, changed_at)
      VALUES (${testData.organization}, ${testData.tenantA}, 1, 1, now())`;
    const inputs = orderStatuses.map(status =>
      orderInput({
        employeeId: employee,
        status,
        contract: contractInput(
          status === 'active' || status === 'completed'
            ? { startDate: '2026-10-01', endDate: '2029-09-30' }
            : {},
        ),
      }),
    );
    for (const tenant of [testData.tenantA, testData.tenantB])
      await storePayrollSettings(sql, testData.organization, tenant);
    const stored = await storeOrders(sql, target, inputs);
    orders = Object.fromEntries(stored.map(({ status, id }) => [status, id])) as typeof orders;
    version = await storeContractChanges(sql, testData.organization, orders.completed);
    const [anonymous] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
    const [colleague] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantB }]);
    ids = {
      employee,
      anonymous: anonymous!.id,
      colleague: colleague!.id,
      incident,
      processed,
      leave,
      key: testData.keys.all.split('_')[1]!,
      user,
      run: await storeDraftRun(sql, testData.organization, testData.tenantA),
      proposal: await storePayrollProposal(sql, testData.organization, { tenant: testData.tenantB }),
      import: await storePlannedImport(sql, testData.organization, testData.tenantA),
    };
    nowhere = connect(withDatabase({ url: scene.database.url }, 'nowhere'));
    service = await startService(sql, { writes: nowhere.writes, mail: someMail });
    client = apiClient(service.url, { key: testData.keys.tenantA });
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
      hrTenants: null,
    });
    portal = apiClient(service.url, { api: 'portal', key: secret });
    platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
    [unassigned] = await storeEmployees(sql, testData.organization, [{}]);
  });
  after(async () => {
    client?.close();
    platform?.close();
    portal?.close();
    await service?.stop();
    await nowhere?.close();
    await scene?.close();
  });

  const intake = () => orderInput({ externalId: name, employeeId: ids.employee });
  const reversal = () => ({
    ...payrollRun,
    employeeId: ids.colleague,
    firstMonth: '2026-10',
    lastMonth: '2026-10',
  });
  const inside = (path: string) => `/organizations/${scene.testData.organization}${path}`;
  const moveOrder = (from: Order['status'], action: string, body?: object) =>
    platform.post(inside(`/orders/${orders[from]}/${action}`), body, { query });
  const endContract = (client: ApiClient, at: string) =>
    client.post(`${at}/orders/${orders.active}/contract-end`, contractEnd, { query });
  const changeContract = (client: ApiClient, at: string) =>
    client.post(`${at}/orders/${orders.active}/contract-versions`, contractVersion, { query });
  const withdraw = (client: ApiClient, at: string, what: string) =>
    client.request('DELETE', `${at}/orders/${orders.completed}/${what}`, { query });
  const ofTenantB = (what: 'settings' | 'runs' | 'reversals') =>
    `/tenants/${scene.testData.tenantB}/payroll-${what}`;
  const payrollOf = (what: 'settings' | 'runs' | 'reversals') => inside(ofTenantB(what));
  const settle = (client: ApiClient, path: string) =>
    client.post(path, { ...settlement, orderId: orders.active }, { query });
  const proposeSettings = (client: ApiClient, settings: string) =>
    client.post(`${settings}/proposals`, { ...settingsInput, cutOffDay: 9 }, { query });
  const confirm = (client: ApiClient, at: string) =>
    client.post(`${at}/payroll-proposals/${ids.proposal}/decision`, { decision: 'confirmed' }, { query });
  const answer = (client: ApiClient, path: string) =>
    client.post(path, { finding: 1, reason: name }, { query });
  const recordLeave = (client: ApiClient, path: string) =>
    client.post(path, { effectiveTo: '2026-12-31', bikeReturned: true }, { query });
  const moveIncident = (id: string, action: string) =>
    platform.post(inside(`/incidents/${id}/${action}`), undefined, { query });
  const readSalesVersion = async () =>
    (await client.get(`/divisions/${scene.testData.sales}`)).body.updatedAt as string;
  const writes: Record<string, () => Promise<Answer<unknown>>> = {
    createEmployee: () => client.post('/employees', person, { query }),
    updateEmployee: () => client.patch(`/employees/${ids.employee}`, { city: 'Kiel' }, { query }),
    createDivision: () => client.post('/divisions', { name }, { query }),
    updateDivision: () => client.patch(`/divisions/${scene.testData.sales}`, { name }, { query }),
    decideOrder: () =>
      client.post(`/orders/${orders.under_review}/decision`, { decision: 'approved' }, { query }),
    createIncident: () => client.post('/incidents', { employeeId: ids.employee, type: 'loss' }, { query }),
    updateIncident: () => client.patch(`/incidents/${ids.incident}`, { type: 'loss' }, { query }),
    uploadIncidentAttachment: () =>
      client.upload(
        `/incidents/${ids.incident}/attachments`,
        { bytes: files['application/pdf'], fileName: 'a.pdf' },
        { query },
      ),
    createOrganization: () => platform.post('/organizations', { name }, { query }),
    createTenant: () => platform.post(inside('/tenants'), { name }, { query }),
    updateTenant: () =>
      platform.patch(inside(`/tenants/${scene.testData.tenantA}`), { decisionDays: 30 }, { query }),
    updateAuditRetention: () => platform.patch(inside('/audit-retention'), { days: 90 }, { query }),
    eraseEmployee: () => platform.request('POST', inside(`/employees/${ids.anonymous}/erasure`), { query }),
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
    createPortalEmployee: () => portal.post('/employees', person, { query, tenant: scene.testData.tenantA }),
    changePortalEmployeeEmail: () =>
      portal.post(`/employees/${ids.employee}/email`, { email: 'neu@example.com' }, { query }),
    blockPortalEmployee: () =>
      portal.post(`/employees/${ids.employee}/blocking`, { blocked: true, reason: name }, { query }),
    activatePortalEmployee: () => portal.request('POST', `/employees/${ids.anonymous}/activation`, { query }),
    erasePortalEmployee: () => portal.request('POST', `/employees/${ids.anonymous}/erasure`, { query }),
    createPortalDivision: () =>
      portal.post('/divisions', { name, parentId: scene.testData.sales }, { query }),
    updatePortalDivision: async () => {
      const expectedUpdatedAt = await readSalesVersion();
      return portal.patch(`/divisions/${scene.testData.sales}`, { name, expectedUpdatedAt }, { query });
    },
    movePortalDivision: async () => {
      const place = { expectedUpdatedAt: await readSalesVersion(), parentId: null, after: null };
      return portal.post(`/divisions/${scene.testData.sales}/move`, place, { query });
    },
    setPortalDecisionRule: () => portal.post(rule, { approveUpTo: '120.00', expectedVersion: 1 }, { query }),
    removePortalDecisionRule: () => portal.request('DELETE', rule, { query }),
    updatePortalEmployee: () => portal.patch(`/employees/${ids.employee}`, { city: 'Kiel' }, { query }),
    uploadEmployeeImport: () =>
      portal.upload(
        `/tenants/${scene.testData.tenantB}/employee-imports`,
        { bytes: Buffer.from('email\na@example.com\n'), fileName: 'people.csv' },
        { query },
      ),
    planEmployeeImport: () => {
      const mapping = {
        headerRow: 1,
        matchBy: 'email',
        columns: [{ column: 0, field: 'email', emptyClears: false }],
      };
      return portal.post(`/employee-imports/${ids.import}/plan`, mapping, { query });
    },
    answerEmployeeImport: () =>
      portal.post(`/employee-imports/${ids.import}/answers`, { answer: 'import' }, { query }),
    applyEmployeeImport: () => portal.post(`/employee-imports/${ids.import}/apply`, {}, { query }),
    discardEmployeeImport: () => portal.request('POST', `/employee-imports/${ids.import}/discard`, { query }),
    recordPortalContractEnd: () => endContract(portal, ''),
    withdrawPortalContractEnd: () => withdraw(portal, '', 'contract-end'),
    recordPortalContractVersion: () => changeContract(portal, ''),
    withdrawPortalContractVersion: () => withdraw(portal, '', `contract-versions/${version}`),
    decidePortalOrder: () =>
      portal.post(`/orders/${orders.under_review}/decision`, { decision: 'approved' }, { query }),
    setPortalPayrollSettings: () =>
      portal.post(ofTenantB('settings'), { ...settingsInput, cutOffDay: 9 }, { query }),
    createPortalPayrollReversal: () => portal.post(ofTenantB('reversals'), reversal(), { query }),
    createPortalPayrollRun: () => portal.post(ofTenantB('runs'), payrollRun, { query }),
    releasePortalPayrollRun: () => portal.request('POST', `/payroll-runs/${ids.run}/release`, { query }),
    discardPortalPayrollRun: () => portal.request('POST', `/payroll-runs/${ids.run}/discard`, { query }),
    acknowledgePortalPayrollFinding: () => answer(portal, `/payroll-runs/${ids.run}/acknowledgements`),
    withdrawPortalIncident: () =>
      portal.request('POST', `/incidents/${ids.incident}/cancellation`, { query }),
    attachIncidentFile: () =>
      platform.upload(
        inside(`/incidents/${ids.incident}/attachments`),
        { bytes: files['application/pdf'], fileName: 'a.pdf' },
        { query },
      ),
    removeIncidentFile: () => platform.request('DELETE', inside(evidencePath), { query }),
    removePortalIncidentFile: () => portal.request('DELETE', evidencePath, { query }),
    recordPortalIncidentLeave: () => recordLeave(portal, `/incidents/${ids.leave}/leave`),
    createPortalPayrollSettlement: () => settle(portal, '/payroll-settlements'),
    proposePortalPayrollSettlement: () => settle(portal, '/payroll-settlements/proposals'),
    proposePortalPayrollSettings: () => proposeSettings(portal, ofTenantB('settings')),
    decidePortalPayrollProposal: () => confirm(portal, ''),
    createPortalIncident: () =>
      portal.post('/incidents', { employeeId: ids.employee, type: 'loss' }, { query }),
    updatePortalIncident: () => portal.patch(`/incidents/${ids.incident}`, { type: 'loss' }, { query }),
    uploadPortalIncidentAttachment: () =>
      portal.upload(
        `/incidents/${ids.incident}/attachments`,
        { bytes: files['application/pdf'], fileName: 'a.pdf' },
        { query },
      ),
    updateOrganizationSettings: () =>
      portal.patch('/organization', { name, maxKeyDays: 90, defaultKeyDays: 30 }, { query }),
    updateOrganizationRetention: () => portal.patch('/retention', { auditDays: 400 }, { query }),
    sendTestMail: () => portal.request('POST', '/mail/test-message', { query }),
    updateNotificationSettings: () => portal.patch('/notification-settings', { byMail: false }, { query }),
    readNotifications: () =>
      portal.post('/notifications/reading', { until: '2026-09-02T08:15:30.123Z' }, { query }),
    renamePortalTenant: () => portal.patch(`/tenants/${scene.testData.tenantA}`, { name }, { query }),
    updatePortalTenantRetention: () =>
      portal.patch(`/tenants/${scene.testData.tenantA}/retention`, { otherDays: 30 }, { query }),
    createPortalApiKey: () => portal.post('/api-keys', { name, wholeOrganization: true }, { query }),
    updatePortalApiKey: () =>
      portal.patch(`/api-keys/${ids.key}`, { expectedIntervalSeconds: 86_400 }, { query }),
    deletePortalApiKey: () => portal.request('DELETE', `/api-keys/${ids.key}`, { query }),
    deactivatePortalApiKey: () => portal.request('POST', `/api-keys/${ids.key}/deactivation`, { query }),
    reactivatePortalApiKey: () => portal.request('POST', `/api-keys/${ids.key}/reactivation`, { query }),
    replacePortalApiKey: () => portal.post(`/api-keys/${ids.key}/replacement`, {}, { query }),
    createPortalUser: () => {
      const person = { email: 'a@example.com', name, language: 'de', permissions: ['IT'] };
      return portal.post('/users', person, { query });
    },
    updatePortalUser: () => portal.patch(`/users/${ids.user}`, { name }, { query }),
    deletePortalUser: () => portal.request('DELETE', `/users/${ids.user}`, { query }),
    invitePortalUser: () => portal.request('POST', `/users/${ids.user}/invitation`, { query }),
    deactivatePortalUser: () => portal.request('POST', `/users/${ids.user}/deactivation`, { query }),
    reactivatePortalUser: () => portal.request('POST', `/users/${ids.user}/reactivation`, { query }),
    activateEmployee: () =>
      platform.request('POST', inside(`/employees/${ids.anonymous}/activation`), { query }),
    activateEmployeeBatch: () =>
      platform.post(
        inside('/activation-batches'),
        { items: [ids.anonymous, 'f'.repeat(24)].map(employeeId => ({ employeeId })) },
        { query },
      ),
    assignEmployee: () =>
      platform.post(
        inside(`/employees/${unassigned!.id}/assignment`),
        { tenant: scene.testData.tenantA },
        { query },
      ),
    changeEmployeeEmail: () =>
      platform.post(inside(`/employees/${ids.employee}/email`), { email: 'neu@example.com' }, { query }),
    blockEmployee: () =>
      platform.post(
        inside(`/employees/${ids.employee}/blocking`),
        { blocked: true, reason: name },
        { query },
      ),
    createOrder: () => platform.post(inside('/orders'), intake(), { query }),
    createOrderBatch: () => platform.post(inside('/order-batches'), { items: [intake()] }, { query }),
    uploadOrderAttachment: () =>
      platform.upload(
        inside(`/orders/${orders.under_review}/attachments`),
        { bytes: files['application/pdf'], fileName: 'a.pdf' },
        { query: { ...query, kind: 'invoice' } },
      ),
    recordOrderDecision: () => moveOrder('under_review', 'decision', { decision: 'rejected' }),
    makeOrderReady: () => moveOrder('approved', 'readiness'),
    handOverOrder: () => moveOrder('ready_for_pickup', 'handover', { startDate: '2026-10-01' }),
    completeOrder: () => moveOrder('active', 'completion', { lastDay: '2026-12-31' }),
    recordContractEnd: () => endContract(platform, inside('')),
    withdrawContractEnd: () => withdraw(platform, inside(''), 'contract-end'),
    recordContractVersion: () => changeContract(platform, inside('')),
    withdrawContractVersion: () => withdraw(platform, inside(''), `contract-versions/${version}`),
    cancelOrder: () => moveOrder('under_review', 'cancellation'),
    expireOrder: () => moveOrder('under_review', 'expiry'),
    setPayrollSettings: () =>
      platform.post(payrollOf('settings'), { ...settingsInput, cutOffDay: 9 }, { query }),
    createPayrollReversal: () => platform.post(payrollOf('reversals'), reversal(), { query }),
    createPayrollRun: () => platform.post(payrollOf('runs'), payrollRun, { query }),
    releasePayrollRun: () => platform.request('POST', inside(`/payroll-runs/${ids.run}/release`), { query }),
    discardPayrollRun: () => platform.request('POST', inside(`/payroll-runs/${ids.run}/discard`), { query }),
    acknowledgePayrollFinding: () => answer(platform, inside(`/payroll-runs/${ids.run}/acknowledgements`)),
    recordIncidentLeave: () => recordLeave(platform, inside(`/incidents/${ids.leave}/leave`)),
    createPayrollSettlement: () => settle(platform, inside('/payroll-settlements')),
    proposePayrollSettlement: () => settle(platform, inside('/payroll-settlements/proposals')),
    proposePayrollSettings: () => proposeSettings(platform, payrollOf('settings')),
    decidePayrollProposal: () => confirm(platform, inside('')),
    setDecisionRule: () => platform.post(inside(rule), { approveUpTo: '120.00' }, { query }),
    removeDecisionRule: () => platform.request('DELETE', inside(rule), { query }),
    applyDecisionRule: () => platform.post(inside(`${rule}/application`), {}, { query }),
    startIncident: () => moveIncident(ids.incident, 'processing'),
    resolveIncident: () => moveIncident(ids.processed, 'resolution'),
    rejectIncident: () => moveIncident(ids.processed, 'rejection'),
    cancelIncident: () => moveIncident(ids.incident, 'cancellation'),
  };

  test('these are all writes', () => {
    const supported = allOperations.filter(({ operation }) => 'dryRun' in operation.query.properties);
    const ids = supported.map(({ id }) => id).sort();
    assert.deepEqual([Object.keys(writes).sort(), Object.keys(shown).sort()], [ids, ids]);
  });
  test('a change anywhere would be seen', async () => {
    const { sql, testData } = scene;
    const before = await readWholeDatabase(sql);
    await sql`UPDATE tenant SET decision_days = 9 WHERE id = ${testData.tenantB}`;
    const { tenant, ...others } = await readWholeDatabase(sql);
    assert.notEqual(tenant, before['tenant']);
    assert.deepEqual({ tenant: before['tenant'], ...others }, before);
  });
  for (const [id, send] of Object.entries(writes))
    test(id, async () => {
      const before = await readWholeDatabase(scene.sql);
      const { status, body } = await send();
      assert.equal(status, 200);
      assert.partialDeepStrictEqual(body, shown[id]);
      assert.deepEqual(await readWholeDatabase(scene.sql), before);
    });
});
