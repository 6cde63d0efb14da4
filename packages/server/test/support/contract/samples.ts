import { settingsInput } from '../../features/payroll/support.ts';

const id = 'f'.repeat(24);
const password = 'correct horse battery staple';
const grants = [{ tenant: id, divisions: [id] }];
const thresholds = { approveUpTo: '120.00', rejectAbove: '300.00', withinDays: null };

/** Bodies of portal operations that need more than the examples of what their schemas require. */
const samples: Readonly<Record<string, object>> = {
  // With its checksum, so that the link is looked for.
  acceptInvitation: {
    secret:
      'kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
    password,
  },
  changePassword: { currentPassword: password, password: 'tacker brille zitrone wolke' },
  createPortalApiKey: { name: 'Payroll', grants },
  createPortalDivision: { name: 'Einkauf', parentId: id },
  createPortalPayrollTestFile: {
    settings: settingsInput,
    period: '2026-10',
    personnelNumber: '99999',
    costCenter: null,
    format: 'datev_lodas',
    amounts: [{ kind: 'salary_conversion', amount: '83.10' }],
  },
  createPortalUser: {
    email: 'jan.petersen@example.com',
    name: 'Jan Petersen',
    language: 'de',
    permissions: ['HR'],
    hrTenants: [id],
  },
  planEmployeeImport: {
    headerRow: 1,
    matchBy: 'email',
    columns: [{ column: 0, field: 'email', emptyClears: false }],
  },
  previewPortalApiKeyScope: { grants },
  samplePortalDecisionRule: thresholds,
  setPortalDecisionRule: { ...thresholds, expectedVersion: 0 },
  setPortalPayrollSettings: settingsInput,
  previewPortalPayrollSettings: settingsInput,
  proposePortalPayrollSettings: settingsInput,
  decidePortalPayrollProposal: { decision: 'rejected' },
  previewPortalOrderPayroll: {
    leave: { incidentId: id, type: 'parental_leave', effectiveFrom: '2026-12-01', effectiveTo: null },
  },
  exportPortalPayrollEntries: { language: 'de' },
  exportPortalPayrollReceivables: { language: 'de' },
  updatePortalDivision: { expectedUpdatedAt: '2026-09-02T08:15:30.123Z', costCenter: '4712' },
};

/** The part of a schema that samples need. */
interface Schema {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A body that fits the schema of a portal operation. */
export function sampleBody(operationId: string, body: object): unknown {
  return samples[operationId] ?? sampleOf(body);
}

/** The first example or value, and of an object the required properties, or the first one where some are. */
function sampleOf(schema: Schema): unknown {
  if (schema.properties) {
    const { properties, required = [], minProperties = 0 } = schema;
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, minProperties);
    return Object.fromEntries(names.map(name => [name, sampleOf(properties[name]!)]));
  }
  if (schema.items) return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items!));
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!);
  return schema.const ?? schema.enum?.[0] ?? schema.examples?.[0];
}
