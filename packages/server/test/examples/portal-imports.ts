import type { ErrorCode } from '@kontor/contract';
import { importSteps } from '../support/employee-imports.ts';
import { storeEmployees } from '../support/employees.ts';
import type { Sent, Stage } from './recorder.ts';

/** Records the import of a CSV file in the portal, from the upload to the report, and its rejections. */
export async function importEmployees(
  { client, recorder, sql, testData }: Stage,
  key: string,
): Promise<void> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  const reject = (operation: string, rejection: [number, ErrorCode], sent: Sent = {}) =>
    recorder.reject(client, operation, rejection, { key, ...sent });
  const { organization, tenantA } = testData;
  await storeEmployees(sql, organization, [
    { tenant: tenantA, employeeNumber: '10001', firstName: 'Erika', lastName: 'Muster', city: 'Bonn' },
  ]);
  const company = { path: { id: tenantA } };
  const text = [
    'Personalnummer;E-Mail;Vorname;Nachname;PLZ;Ort',
    '10001;;;;97070;Würzburg',
    '10002;max.meier@muster.example;Max;Meier;60311;Frankfurt am Main',
    '10003;keine Adresse;Nora;Niemand;53111;Bonn',
    '10004;dora.dresden@muster.example;Dora;Dresden;1067;Dresden',
  ].join('\r\n');
  const upload = { ...company, file: { fileName: 'personal.csv', bytes: Buffer.from(text) } };
  await ask('uploadEmployeeImport', { ...upload, query: { dryRun: true } });
  const { id } = (await ask('uploadEmployeeImport', upload)).body;
  await reject('uploadEmployeeImport', [409, 'DUPLICATE_RESOURCE'], upload);
  const path = { id: id as string };
  const { mapping } = (await ask('getEmployeeImport', { path })).body;
  await reject('applyEmployeeImport', [409, 'INVALID_STATE_TRANSITION'], { path, body: {} });
  await reject('downloadEmployeeImportReport', [409, 'INVALID_STATE_TRANSITION'], { path });
  await reject('downloadEmployeeImportErrors', [409, 'INVALID_STATE_TRANSITION'], { path });
  const answer = { path, body: { answer: 'import', lines: [5] } };
  await reject('answerEmployeeImport', [409, 'INVALID_STATE_TRANSITION'], answer);
  const unusable = { ...mapping, columns: [] };
  await reject('planEmployeeImport', [422, 'VALIDATION_ERROR'], { path, body: unusable });
  await ask('planEmployeeImport', { path, body: mapping, query: { dryRun: true } });
  await ask('planEmployeeImport', { path, body: mapping });
  const { settled } = importSteps(client, key);
  const { counts } = await settled(path.id);
  await ask('listEmployeeImportRows', { path, query: { view: 'change' } });
  const unknown = { answer: 'import', lines: [2] };
  await reject('answerEmployeeImport', [422, 'VALIDATION_ERROR'], { path, body: unknown });
  await ask('answerEmployeeImport', { ...answer, query: { dryRun: true } });
  await ask('answerEmployeeImport', answer);
  await ask('downloadEmployeeImportErrors', { path, query: { language: 'de' } });
  await sql`
    UPDATE employee_import SET counts = counts || '{"employees": 5}' WHERE organization_id = ${organization} AND id = ${path.id}`;
  await reject('applyEmployeeImport', [422, 'VALIDATION_ERROR'], { path, body: {} });
  const confirmed = { path, body: { confirmedChanges: counts!.changes } };
  await ask('applyEmployeeImport', { ...confirmed, query: { dryRun: true } });
  await ask('applyEmployeeImport', confirmed);
  await settled(path.id);
  await reject('planEmployeeImport', [409, 'INVALID_STATE_TRANSITION'], { path, body: mapping });
  await reject('discardEmployeeImport', [409, 'INVALID_STATE_TRANSITION'], { path });
  await ask('downloadEmployeeImportReport', { path });
  await ask('listEmployeeImports', company);
  const other = await client.upload(`/tenants/${tenantA}/employee-imports`, upload.file, { key });
  await ask('discardEmployeeImport', { path: { id: other.body.id as string }, query: { dryRun: true } });
  await ask('discardEmployeeImport', { path: { id: other.body.id as string } });
}
