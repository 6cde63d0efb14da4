import Type, { type Static } from 'typebox';
import { bodyLimits } from '../body-limit.ts';
import { listOf } from '../list.ts';
import { idParameter, read, write } from '../operation.ts';
import { PayrollActor } from '../payroll/settings.ts';
import { portalOperation } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Flag,
  Id,
  Instant,
  Integer,
  nullable,
  orNull,
  Text,
  Values,
} from '../schema.ts';
import { EmployeeCreate, EmployeePatch } from './employees.ts';

/** Fields that a column can fill. */
export const employeeImportFields = Object.keys(EmployeeCreate.properties) as (keyof EmployeeCreate)[];

/** Problems of rows and cells. */
export const employeeImportProblemCodes = [
  // The record cannot be read.
  'surplus_cell',
  'quote',
  'invalid_byte',
  'nul',
  // The value does not fit its field.
  'missing',
  'invalid',
  'too_long',
  'not_boolean',
  'not_country',
  'ambiguous_country',
  'short_postal_code',
  // A program damaged the value.
  'rounded_number',
  'hidden_value',
  'formula_error',
  'formula',
  'garbled_text',
  // The value does not fit other rows or stored data.
  'repeated',
  'taken',
  // Only of plans before 0.3.
  'not_editable',
  'changed_email',
  'number_reused',
  'unknown_division',
  'ambiguous_division',
  'proposed_division',
] as const;

/** Columns of a file. */
export const importColumnsMaximum = 200;

/** First rows of a file in which its header can be. */
export const importHeaderRowsMaximum = 20;

/** Rows of a file, without its header. */
export const importRowsMaximum = 100_000;

/** First rows of a file that are shown: those that can be the header, and samples for the last one. */
export const importFirstRowsMaximum = importHeaderRowsMaximum + 3;

/** Rows with errors or questions that are listed. A file with more needs another mapping, not a correction of its cells. */
export const importErrorsMaximum = 10_000;

/** Imports that a list returns. */
export const importsMaximum = 20;

const Field = Values('EmployeeImportField', employeeImportFields);
const Key = Values('EmployeeImportKey', ['employeeNumber', 'email']);

const emptyClears = Type.Boolean({ examples: [false] });

export const EmployeeImportMapping = ClosedObject({
  headerRow: nullable(Type.Integer({ minimum: 1, maximum: importHeaderRowsMaximum, examples: [1] })),
  matchBy: Key,
  columns: Type.Array(
    ClosedObject({
      column: Type.Integer({ minimum: 0, maximum: importColumnsMaximum - 1, examples: [0] }),
      field: Field,
      emptyClears,
    }),
    { maxItems: importColumnsMaximum },
  ),
});
export type EmployeeImportMapping = Static<typeof EmployeeImportMapping>;

const EmployeeImportCounts = ClosedObject({
  employees: Count(),
  adds: Count(),
  changes: Count(),
  errors: Count(),
  questions: Count(),
  accepted: Count(),
  unchanged: Count(),
  applied: Count(),
  skipped: Count(),
});
export type EmployeeImportCounts = Static<typeof EmployeeImportCounts>;

const EmployeeImportFailure = ClosedObject({
  reason: Values('EmployeeImportFailureReason', [
    'no_rows',
    'other_format',
    'unknown_encoding',
    'too_many_columns',
    'too_many_rows',
    'unclosed_quote',
    'permission',
    'internal',
  ]),
  line: nullable(Integer()),
  column: nullable(Integer()),
  found: nullable(Text()),
  format: orNull(
    Values('EmployeeImportFileFormat', [
      'xlsx',
      'xls',
      'ods',
      'numbers',
      'docx',
      'zip',
      'gzip',
      'pdf',
      'html',
      'xml',
      'json',
      'rtf',
      'image',
      'binary',
    ]),
  ),
});
export type EmployeeImportFailure = Static<typeof EmployeeImportFailure>;

const Progress = ClosedObject({
  done: Count(),
  total: Count(),
});

export const EmployeeImport = ClosedObject({
  id: Id(),
  tenant: Id(),
  status: Values('EmployeeImportStatus', [
    'uploaded',
    'planning',
    'planned',
    'applying',
    'applied',
    'discarded',
    'failed',
  ]),
  fileName: Text(),
  encoding: Values('EmployeeImportEncoding', ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  delimiter: Values('EmployeeImportDelimiter', [';', ',', '\t', '|']),
  createdBy: PayrollActor,
  createdAt: Instant(),
  progress: orNull(Progress),
  counts: orNull(EmployeeImportCounts),
  needsConfirmation: Flag(),
  failure: orNull(EmployeeImportFailure),
  appliedBy: orNull(PayrollActor),
  endedAt: nullable(Instant()),
  expiresAt: Instant(),
});
export type EmployeeImport = Static<typeof EmployeeImport>;

export const EmployeeImportDetails = ClosedObject({
  import: EmployeeImport,
  rows: Type.Array(
    ClosedObject({
      line: Integer(),
      cells: Type.Array(Type.String()),
    }),
    { maxItems: importFirstRowsMaximum },
  ),
  columns: Type.Array(
    ClosedObject({
      name: Text(),
      samples: Type.Array(Type.String(), { maxItems: 3 }),
      isExact: nullable(Flag()),
    }),
  ),
  /** The used one. Otherwise a proposal: that of the last file of the tenant, or what the names of the columns say. */
  mapping: EmployeeImportMapping,
  missing: Type.Array(Field),
  fields: Type.Array(
    ClosedObject({
      field: Field,
      isRequired: Flag(),
      isClearable: Flag(),
    }),
  ),
});
export type EmployeeImportDetails = Static<typeof EmployeeImportDetails>;

/** The fields with null as a value. */
export const clearableFields: readonly string[] = Object.entries(
  EmployeePatch.properties as Record<string, { type?: unknown }>,
).flatMap(([name, { type }]) => (Array.isArray(type) ? [name] : []));

const EmployeeImportProblem = ClosedObject({
  code: Values('EmployeeImportProblemCode', employeeImportProblemCodes),
  column: nullable(Text()),
  field: orNull(Field),
  found: nullable(Text()),
  suggestion: nullable(Text()),
  limit: nullable(Integer()),
  line: nullable(Integer()),
  position: nullable(Integer()),
});
export type EmployeeImportProblem = Static<typeof EmployeeImportProblem>;

const Answer = Values('EmployeeImportAnswer', ['import', 'leave_out']);

export const EmployeeImportRow = ClosedObject({
  line: Integer(),
  kind: Values('EmployeeImportRowKind', ['add', 'change', 'error', 'unchanged', 'question']),
  employeeId: nullable(Id()),
  name: nullable(Text()),
  changes: Type.Array(
    ClosedObject({
      field: Field,
      before: nullable(Text()),
      after: nullable(Text()),
    }),
  ),
  problems: Type.Array(EmployeeImportProblem),
  notices: Type.Array(EmployeeImportProblem),
  answer: orNull(Answer),
  outcome: orNull(Values('EmployeeImportOutcome', ['applied', 'skipped'])),
  reason: orNull(Values('EmployeeImportSkipReason', ['changed', 'taken', 'rejected'])),
});
export type EmployeeImportRow = Static<typeof EmployeeImportRow>;

export const EmployeeImportRows = listOf(EmployeeImportRow, 'EmployeeImportRows');

export const employeeImportViews = [
  'add',
  'change',
  'error',
  'question',
  'unchanged',
  'applied',
  'skipped',
] as const;
export type EmployeeImportView = (typeof employeeImportViews)[number];

export const EmployeeImportRowsQuery = ClosedObject({
  view: Type.Enum([...employeeImportViews], {
    type: 'string',
    description: 'Only rows with this effect, or that were applied or left out',
    examples: ['change'],
  }),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, counted from one' }),
  ),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most rows on a page' }),
  ),
});

export const EmployeeImportApply = ClosedObject({
  confirmedChanges: Type.Optional(Count()),
  mapping: Type.Optional(EmployeeImportMapping),
});
export type EmployeeImportApply = Static<typeof EmployeeImportApply>;

export const EmployeeImportAnswers = ClosedObject({
  answer: Answer,
  lines: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, examples: [17] }), { minItems: 1, maxItems: 1000 }),
  ),
});
export type EmployeeImportAnswers = Static<typeof EmployeeImportAnswers>;

export const importLanguages = ['de', 'en'] as const;

const reading = { ...read, tag: 'Employee imports', permission: 'HR' } as const;
const writing = { ...write, tag: 'Employee imports', permission: 'HR' } as const;

const ofImport = idParameter('Identifier of the import');
const ofTenant = idParameter('Identifier of the tenant');
const body = EmployeeImport;

export const uploadEmployeeImport = portalOperation({
  ...writing,
  path: '/tenants/{id}/employee-imports',
  description: `Stores a CSV file in UTF-8, UTF-16 or Windows-1252 with at most ${importRowsMaximum.toLocaleString('en')} rows. Its encoding and the character between its values are detected. Nothing changes before it is planned and applied. A tenant has one open import at a time. A file without usable columns or rows is \`failed\`, and \`failure\` says why.`,
  parameters: ofTenant,
  upload: true,
  uploadTypes: ['text/csv'],
  success: { status: 201, body },
  errors: ['DUPLICATE_RESOURCE'],
});

export const listEmployeeImports = portalOperation({
  ...reading,
  path: '/tenants/{id}/employee-imports',
  parameters: ofTenant,
  success: {
    status: 200,
    body: ClosedObject({
      items: Type.Array(EmployeeImport, { maxItems: importsMaximum }),
    }),
  },
});

export const getEmployeeImport = portalOperation({
  ...reading,
  path: '/employee-imports/{id}',
  parameters: ofImport,
  query: ClosedObject({
    headerRow: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: importHeaderRowsMaximum,
        description: 'Proposes a mapping for this header, counted from 1; 0: no row has names',
        examples: [3],
      }),
    ),
  }),
  success: { status: 200, body: EmployeeImportDetails },
});

export const listEmployeeImportRows = portalOperation({
  ...reading,
  path: '/employee-imports/{id}/rows',
  description: `Lists rows with their changes, errors or questions, in the order of the file. The first ${importErrorsMaximum.toLocaleString('en')} rows with errors or questions are listed; \`counts\` has the number of all.`,
  parameters: ofImport,
  query: EmployeeImportRowsQuery,
  success: { status: 200, body: EmployeeImportRows },
});

export const planEmployeeImport = portalOperation({
  ...writing,
  path: '/employee-imports/{id}/plan',
  parameters: ofImport,
  body: EmployeeImportMapping,
  success: { status: 200, body },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const answerEmployeeImport = portalOperation({
  ...writing,
  path: '/employee-imports/{id}/answers',
  parameters: ofImport,
  body: EmployeeImportAnswers,
  bodyLimit: bodyLimits.list,
  success: { status: 200, body },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const applyEmployeeImport = portalOperation({
  ...writing,
  path: '/employee-imports/{id}/apply',
  parameters: ofImport,
  body: EmployeeImportApply,
  success: { status: 200, body },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION', 'DUPLICATE_RESOURCE'],
});

export const discardEmployeeImport = portalOperation({
  ...writing,
  path: '/employee-imports/{id}/discard',
  parameters: ofImport,
  success: { status: 200, body },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const downloadEmployeeImportReport = portalOperation({
  ...reading,
  path: '/employee-imports/{id}/report',
  parameters: ofImport,
  success: {
    status: 200,
    body: 'file',
    mediaTypes: ['text/csv'],
    made: 'from-rows',
  },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const downloadEmployeeImportErrors = portalOperation({
  ...reading,
  path: '/employee-imports/{id}/rows-with-errors',
  parameters: ofImport,
  query: ClosedObject({
    language: Type.Optional(
      Type.Enum([...importLanguages], {
        type: 'string',
        default: 'en',
        description: 'Language of the column that says what is wrong',
        examples: ['de'],
      }),
    ),
  }),
  success: {
    status: 200,
    body: 'file',
    mediaTypes: ['text/csv'],
    made: 'from-rows',
  },
  errors: ['INVALID_STATE_TRANSITION'],
});
