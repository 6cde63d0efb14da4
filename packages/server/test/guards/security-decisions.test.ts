import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apis, type Operation } from '@kontor/contract';

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
  updateOrganizationSettings: 'the finder of an open session could allow short passwords and lasting keys',
  updateOrganizationRetention: 'the finder of an open session could have the audit removed',
  updatePortalTenantRetention: 'the finder of an open session could let data be erased too early',
  endSession: 'the finder of an open session could shut out its owner (ASVS 7.5.2)',
  endOtherSessions: 'the finder of an open session could shut out its owner (ASVS 7.5.2)',
  endUserSession: 'the finder of an open session could sign out everybody',
  endUserSessions: 'the finder of an open session could sign out everybody',
  deletePasskey: 'the finder of an open session could leave only the way in that they know (ASVS 7.5.1)',
  beginPasskey: 'it begins a passkey',
  createPasskey: 'the passkey signs in',
  unlinkOpenId: 'another identity with the e-mail can be linked then',
};

/** What a user may do with any session, and why. */
const notFresh: Readonly<Record<string, string>> = {
  signOut: 'takes access away',
  changePassword: 'takes the current password, and a fresh sign-in of a user who has none',
  deactivatePortalApiKey: 'takes access away',
  deletePortalApiKey: 'takes access away',
  renamePasskey: 'changes a name',
  updatePortalApiKey: 'changes when the key counts as silent',
  previewPortalApiKeyScope: 'only counts',
  decidePortalOrder: 'the daily work of HR, which gives nobody access',
  createPortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  releasePortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  discardPortalPayrollRun: 'the monthly work of HR, which gives nobody access',
  createPortalPayrollSettlement: 'the monthly work of HR, which gives nobody access',
  createPortalPayrollTestFile: 'makes a file with invented data',
  setPortalDecisionRule: 'approves no more than HR can approve, which gives nobody access',
  removePortalDecisionRule: 'leaves each decision to HR',
  samplePortalDecisionRule: 'only reads',
  createPortalDivision: 'the daily work of administrators, which gives nobody access',
  updatePortalDivision: 'changes a name or a cost center',
  movePortalDivision: 'the daily work of administrators; its form names the keys that gain access',
  createPortalEmployee: 'the daily work of HR, which gives nobody access',
  activatePortalEmployee: 'the daily work of HR, which gives nobody access',
  uploadEmployeeImport: 'the daily work of HR, which gives nobody access',
  planEmployeeImport: 'the daily work of HR, which gives nobody access',
  applyEmployeeImport: 'the daily work of HR, which gives nobody access',
  discardEmployeeImport: 'the daily work of HR, which gives nobody access',
  updatePortalEmployee: 'the daily work of HR, which gives nobody access',
  createPortalIncident: 'the daily work of HR, which gives nobody access',
  updatePortalIncident: 'the daily work of HR, which gives nobody access',
  uploadPortalIncidentAttachment: 'the daily work of HR, which gives nobody access',
  listPortalApiKeys: 'only reads',
  listPortalEmployees: 'only reads',
  listPortalIncidents: 'only reads',
  listPortalOrders: 'only reads',
  listPortalTenants: 'only reads',
  listPortalUsers: 'only reads',
  listPortalAuditEntries: 'only reads',
  exportPortalAuditEntries: 'only reads, as the list does',
  exportPortalApiKeys: 'only reads, as the list does',
  exportPortalUsers: 'only reads, as the list does',
  exportPortalEmployees: 'only reads, as the list does',
  searchPortal: 'only reads',
  confirmPassword: 'makes the sign-in fresh',
  beginPasskeyConfirmation: 'makes the sign-in fresh',
  confirmWithPasskey: 'makes the sign-in fresh',
  beginOpenIdConfirmation: 'makes the sign-in fresh',
  confirmWithOpenId: 'makes the sign-in fresh',
};

test('every operation that gives access takes a fresh sign-in, and every other one has a reason', () => {
  const asked = Object.entries<Operation>(apis.portal.operations).filter(
    ([, { method, authenticated }]) => authenticated && method !== 'GET',
  );
  const declared = (isFresh: boolean) =>
    asked.filter(([, { needsFreshSignIn = false }]) => needsFreshSignIn === isFresh).map(([id]) => id);
  assert.deepEqual(declared(true).sort(), Object.keys(fresh).sort(), 'say why in this file');
  assert.deepEqual(declared(false).sort(), Object.keys(notFresh).sort(), 'say why in this file');
});
