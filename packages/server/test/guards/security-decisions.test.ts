import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOperations, apis, errorsOf, type Operation } from '@kontor/contract';

const file = 'packages/server/test/guards/security-decisions.test.ts';

/*
 * The questions of security that each new operation answers in words. They are asked in `npm test`, so that none is forgotten.
 * `npm run test:security` tests the operations themselves.
 */

/**
 * An operation takes a fresh sign-in when it gives access that outlasts the session, or changes who has access. That the service asks for
 * it where the contract requires it, and nowhere else, is in `portal/permissions.test.ts`.
 */
const fresh: Readonly<Record<string, string>> = {
  createPortalApiKey: 'a key works without the session',
  replacePortalApiKey: 'the new key works without the session',
  reactivatePortalApiKey: 'the key works again',
  createPortalUser: 'another person may sign in',
  updatePortalUser: 'a user may be permitted more',
  invitePortalUser: 'the link sets a password',
  reactivatePortalUser: 'the user may sign in again',
  deactivatePortalUser: 'the finder of an open session could shut out its owner',
  deletePortalUser: 'the finder of an open session could shut out its owner',
  erasePortalEmployee: 'the finder of an open session could erase the data of persons for good',
  setPortalPayrollSettings: 'the user who ran payroll may release it alone then',
  decidePortalPayrollProposal: 'the second user would not be a person who is there',
  updateOrganizationSettings: 'the finder of an open session could allow short passwords and lasting keys',
  updateOrganizationRetention: 'the finder of an open session could have the audit removed',
  updatePortalTenantRetention: 'the finder of an open session could let data be erased too early',
  setPortalDecisionRule: 'the finder of an open session could have orders approved without HR',
  removePortalDecisionRule: 'the finder of an open session could stop the decisions of a company',
  movePortalDivision: 'a key of the new place gains access to what is moved',
  endSession: 'the finder of an open session could shut out its owner (ASVS 7.5.2)',
  endOtherSessions: 'the finder of an open session could shut out its owner (ASVS 7.5.2)',
  endUserSession: 'the finder of an open session could sign out everybody',
  endUserSessions: 'the finder of an open session could sign out everybody',
  deletePasskey: 'the finder of an open session could leave only the way in that they know (ASVS 7.5.1)',
  beginPasskey: 'it begins a passkey',
  createPasskey: 'the passkey signs in',
  beginOpenIdLink: 'it begins a link',
  linkOpenId: 'the identity signs in',
  unlinkOpenId: 'the finder of an open session could leave only the way in that they know (ASVS 7.5.1)',
};

/** What a user may do with any session, and why. Lists, exports and what changes nothing need no reason. */
const notFresh: Readonly<Record<string, string>> = {
  signOut: 'takes access away',
  changePassword: 'takes the current password, and a fresh sign-in of a user who has none',
  deactivatePortalApiKey: 'takes access away',
  deletePortalApiKey: 'takes access away',
  renamePasskey: 'changes a name',
  renamePortalTenant: 'changes a name',
  updateNotificationSettings: 'changes what the own bell and mails show',
  readNotifications: 'marks as read in the own bell',
  sendTestMail: 'sends a fixed text to the own email',
  updatePortalApiKey: 'changes when the key counts as silent',
  decidePortalOrder: 'the daily work of HR, which gives nobody access',
  recordPortalContractEnd: 'the daily work of HR, which gives nobody access',
  withdrawPortalContractEnd: 'the daily work of HR, which gives nobody access',
  recordPortalContractVersion: 'the daily work of HR, which gives nobody access',
  withdrawPortalContractVersion: 'the daily work of HR, which gives nobody access',
  createPortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  createPortalPayrollReversal: 'the monthly work of HR, which gives nobody access',
  releasePortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  discardPortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  acknowledgePortalPayrollFinding: 'the monthly work of HR, which gives nobody access',
  recordPortalIncidentLeave: 'the daily work of HR, which gives nobody access',
  proposePortalPayrollSettlement: 'has no effect before another user confirms it',
  proposePortalPayrollSettings: 'has no effect before another user confirms it',
  removePortalIncidentFile: 'the daily work of HR, which gives nobody access',
  withdrawPortalIncident: 'the daily work of HR, which gives nobody access',
  createPortalPayrollSettlement: 'the monthly work of HR, which gives nobody access',
  createPortalDivision: 'the daily work of administrators, which gives nobody access',
  updatePortalDivision: 'changes a name or a cost center',
  createPortalEmployee: 'the daily work of HR, which gives nobody access',
  activatePortalEmployee: 'the daily work of HR, which gives nobody access',
  changePortalEmployeeEmail: 'the daily work of HR, which gives nobody access',
  blockPortalEmployee: 'the daily work of HR, which gives nobody access',
  uploadEmployeeImport: 'the daily work of HR, which gives nobody access',
  planEmployeeImport: 'the daily work of HR, which gives nobody access',
  answerEmployeeImport: 'the daily work of HR, which gives nobody access',
  applyEmployeeImport: 'the daily work of HR, which gives nobody access',
  discardEmployeeImport: 'the daily work of HR, which gives nobody access',
  updatePortalEmployee: 'the daily work of HR, which gives nobody access',
  createPortalIncident: 'the daily work of HR, which gives nobody access',
  updatePortalIncident: 'the daily work of HR, which gives nobody access',
  uploadPortalIncidentAttachment: 'the daily work of HR, which gives nobody access',
  confirmPassword: 'makes the sign-in fresh',
  confirmWithPasskey: 'makes the sign-in fresh',
  confirmWithOpenId: 'makes the sign-in fresh',
};

test('every operation that gives access takes a fresh sign-in, and every other one has a reason', () => {
  const asked = Object.entries<Operation>(apis.portal.operations).filter(
    ([, { method, authenticated }]) => authenticated && method !== 'GET',
  );
  const reads = ({ fields, changesNothing }: Operation) => fields !== undefined || changesNothing === true;
  const takesFresh = asked.filter(([, operation]) => operation.needsFreshSignIn);
  const others = asked.filter(([, operation]) => !operation.needsFreshSignIn && !reads(operation));
  const ids = (operations: typeof asked) => operations.map(([id]) => id).sort();
  assert.deepEqual(ids(takesFresh), Object.keys(fresh).sort(), `write the reason into "fresh" of ${file}`);
  assert.deepEqual(ids(others), Object.keys(notFresh).sort(), `write the reason into "notFresh" of ${file}`);
});

/** Why an operation of the portal that creates something needs no bound of its own. Lists and exports need no reason. */
const unbounded: Readonly<Record<string, string>> = {
  readNotifications: 'changes one row of the user',
  createPasskey: 'takes a challenge, of which a session has 100 in 15 minutes, and sends nothing',
  acceptInvitation: 'takes the secret of a link, once',
  confirmPassword: 'counted as an attempt to sign in',
  changePassword: 'takes a fresh sign-in, and makes nothing',
  signIn: 'counted as an attempt',
  signInWithPasskey: 'counted as an attempt',
  confirmWithPasskey: 'counted as an attempt',
  signInWithOpenId: 'takes what was begun, which is counted',
  confirmWithOpenId: 'takes what was begun, which is counted',
  linkOpenId: 'takes what was begun, which is counted',
  previewPortalApiKeyScope: 'a read',
  setPortalPayrollSettings: 'changes the settings that are there',
  previewPortalPayrollSettings: 'a read',
  previewPortalOrderPayroll: 'a read',
  searchPortalPayrollEntries: 'a read',
  exportPortalPayrollEntries: 'a read',
  exportPortalPayrollReceivables: 'a read',
  createPortalPayrollRun: 'a tenant has one open run',
  createPortalPayrollReversal: 'a tenant has one open run',
  releasePortalPayrollRun: 'releases a run once',
  discardPortalPayrollRun: 'changes the status of what is there',
  acknowledgePortalPayrollFinding: 'a run has a few questions, and each has one answer',
  recordPortalIncidentLeave: 'changes what is there',
  withdrawPortalIncident: 'changes the status of what is there',
  createPortalPayrollSettlement: 'settles at most what is open',
  proposePortalPayrollSettlement: 'as the settlement; the audit has each',
  proposePortalPayrollSettings: 'as a change of the settings; the audit has each',
  decidePortalPayrollProposal: 'a proposal has one decision',
  createPortalPayrollTestFile: 'makes a file and stores nothing',
  setPortalDecisionRule: 'a tenant has one rule',
  samplePortalDecisionRule: 'a read',
  createPortalDivision: 'the work of an administrator, as with a key; the audit has each',
  movePortalDivision: 'changes the place of what is there',
  createPortalEmployee: 'the daily work of HR, as with a key; the audit has each',
  activatePortalEmployee: 'activates an employee once',
  changePortalEmployeeEmail: 'changes what is there',
  blockPortalEmployee: 'changes what is there',
  erasePortalEmployee: 'takes a fresh sign-in, and makes nothing',
  uploadEmployeeImport: 'a tenant has one open import, and one that failed keeps no file',
  planEmployeeImport: 'an import is planned by one job at a time',
  answerEmployeeImport: 'a later answer replaces an earlier one',
  applyEmployeeImport: 'applies an import once',
  discardEmployeeImport: 'discards an import once',
  decidePortalOrder: 'decides an order once',
  recordPortalContractEnd: 'a contract has at most 100 ends',
  recordPortalContractVersion: 'a contract has at most 100 versions',
  createPortalIncident: 'the daily work of HR, as with a key; the audit has each',
  uploadPortalIncidentAttachment: 'an incident has at most 20 files',
  searchPortal: 'a read',
  deactivatePortalApiKey: 'changes the status of what is there',
  reactivatePortalApiKey: 'changes the status of what is there',
  deactivatePortalUser: 'changes the status of what is there',
  reactivatePortalUser: 'changes the status of what is there',
};

test('every operation of the portal that creates something is bounded, or this file has the reason why not', () => {
  const making = allOperations.filter(
    ({ apiName, operation: { method, fields } }) => apiName === 'portal' && method === 'POST' && !fields,
  );
  for (const { id, operation } of making) {
    const isBounded = operation.errors.includes('RATE_LIMIT_EXCEEDED');
    assert.ok(
      isBounded || unbounded[id],
      `${id}: bound it, or write into "unbounded" of ${file} why it need not be`,
    );
  }
});

/** Which other party an operation consumes. `security/owasp-api/api10-unsafe-consumption-of-apis.test.ts` has hostile ones. */
const consuming: Readonly<Record<string, 'issuer' | 'storage'>> = {
  beginOpenIdSignIn: 'issuer',
  signInWithOpenId: 'issuer',
  beginOpenIdConfirmation: 'issuer',
  confirmWithOpenId: 'issuer',
  beginOpenIdLink: 'issuer',
  linkOpenId: 'issuer',
  downloadOrderAttachment: 'storage',
  downloadPortalOrderAttachment: 'storage',
  downloadPortalIncidentAttachment: 'storage',
  attachIncidentFile: 'storage',
  uploadIncidentAttachment: 'storage',
  uploadPortalIncidentAttachment: 'storage',
  downloadPayrollExportDocument: 'storage',
  downloadPortalPayrollFile: 'storage',
  uploadOrderAttachment: 'storage',
  exportEmployee: 'storage',
  exportPortalEmployee: 'storage',
};

test('every operation that another party can fail names it', () => {
  const failing = allOperations.filter(({ api, operation }) =>
    errorsOf(operation, api).some(code => code === 'BAD_GATEWAY'),
  );
  assert.deepEqual(
    failing.map(({ id }) => id).sort(),
    Object.keys(consuming).sort(),
    `write the other party into "consuming" of ${file}`,
  );
});
