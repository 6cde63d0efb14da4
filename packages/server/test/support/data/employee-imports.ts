import assert from 'node:assert/strict';
import type {
  EmployeeImport,
  EmployeeImportDetails,
  EmployeeImportRow,
  EmployeeImportView,
} from '@kontor/contract';
import { newId } from '../../../src/db/ids.ts';
import type { ApiClient } from '../contract/client.ts';
import type { Sql } from '../database/sql.ts';

/** The requests of an import by a user with this session. */
export function importSteps(portal: ApiClient, key: string) {
  const steps = {
    upload: (tenant: string, file: string | Buffer, fileName = 'people.csv') =>
      portal.upload<EmployeeImport>(
        `/tenants/${tenant}/employee-imports`,
        { bytes: Buffer.from(file as string), fileName },
        { key },
      ),
    async details(id: string): Promise<EmployeeImportDetails> {
      const { status, body, bytes } = await portal.get(`/employee-imports/${id}`, { key });
      assert.equal(status, 200, bytes.toString());
      return body;
    },
    /** The import when no job works on it. */
    async settled(id: string): Promise<EmployeeImport> {
      for (;;) {
        const { import: present } = await steps.details(id);
        if (present.status !== 'planning' && present.status !== 'applying') return present;
      }
    },
    post: (id: string, step: 'plan' | 'apply' | 'discard', body: object = {}) =>
      step === 'discard'
        ? portal.request('POST', `/employee-imports/${id}/discard`, { key })
        : portal.post(`/employee-imports/${id}/${step}`, body, { key }),
    /** Uploads a file and plans it with the proposed mapping, which `change` may replace. */
    async plan(
      tenant: string,
      file: string | Buffer,
      change: (mapping: EmployeeImportDetails['mapping']) => object = mapping => mapping,
    ): Promise<EmployeeImport> {
      const uploaded = await steps.upload(tenant, file);
      assert.equal(uploaded.status, 201, uploaded.bytes.toString());
      const { id } = uploaded.body;
      const begun = await steps.post(id, 'plan', change((await steps.details(id)).mapping));
      assert.equal(begun.status, 200, begun.bytes.toString());
      return steps.settled(id);
    },
    async apply(id: string, body: object = {}): Promise<EmployeeImport> {
      const begun = await steps.post(id, 'apply', body);
      assert.equal(begun.status, 200, begun.bytes.toString());
      return steps.settled(id);
    },
    async answer(id: string, body: object): Promise<EmployeeImport> {
      const answered = await portal.post(`/employee-imports/${id}/answers`, body, { key });
      assert.equal(answered.status, 200, answered.bytes.toString());
      return answered.body;
    },
    /** The file of the rows with errors. */
    async errors(id: string, language: 'de' | 'en'): Promise<Buffer> {
      const path = `/employee-imports/${id}/rows-with-errors`;
      const { status, bytes } = await portal.get(path, { key, query: { language } });
      assert.equal(status, 200, bytes.toString());
      return bytes;
    },
    async rows(id: string, view: EmployeeImportView, query: object = {}): Promise<EmployeeImportRow[]> {
      const path = `/employee-imports/${id}/rows`;
      const { status, body, bytes } = await portal.get(path, { key, query: { view, ...query } });
      assert.equal(status, 200, bytes.toString());
      return body.items;
    },
    /** The problems of a plan: line, column, code. */
    async problems(id: string): Promise<unknown[][]> {
      return (await steps.rows(id, 'error')).flatMap(({ line, problems }) =>
        problems.map(({ column, code }) => [line, column, code]),
      );
    },
  };
  return steps;
}

/** Stores an import with an empty plan, and returns its identifier. */
export async function storePlannedImport(sql: Sql, organization: string, tenant: string): Promise<string> {
  const id = newId();
  const creator = { type: 'user', id: newId(), name: 'Petra Lang' };
  const mapping = {
    headerRow: 1,
    matchBy: 'email',
    columns: [{ column: 0, field: 'email', emptyClears: false }],
  };
  const counts = { employees: 0, adds: 0, changes: 0, errors: 0, unchanged: 0, applied: 0, skipped: 0 };
  await sql`
    INSERT INTO employee_import (organization_id, id, tenant_id, status, file_name, encoding, delimiter, header, mapping, counts,
      created_by, created_at, expires_at)
    VALUES (${organization}, ${id}, ${tenant}, 'planned', 'people.csv', 'utf-8', ';', '["email"]',
      ${JSON.stringify(mapping)}::jsonb, ${JSON.stringify(counts)}::jsonb, ${JSON.stringify(creator)}::jsonb, now(),
      now() + interval '7 days')`;
  await sql`
    INSERT INTO employee_import_file (organization_id, import_id, bytes)
    VALUES (${organization}, ${id}, ${Buffer.from('email\n')})`;
  return id;
}
