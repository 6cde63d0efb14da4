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
  NamedObject,
  nullable,
  orNull,
  Text,
  Values,
} from '../schema.ts';
import { EmployeeCreate, EmployeePatch } from './employees.ts';

export const employeeImportStatuses = [
  'uploaded',
  'planning',
  'planned',
  'applying',
  'applied',
  'discarded',
  'failed',
] as const;

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
  'not_editable',
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

const Field = Values('EmployeeImportField', employeeImportFields, 'Field of an employee');
const Key = Values(
  'EmployeeImportKey',
  ['employeeNumber', 'email'],
  'Field that tells which employee a row is about',
);

const emptyClears = Flag('Whether an empty cell clears the field; otherwise it changes nothing', false);

export const EmployeeImportMapping = NamedObject(
  'EmployeeImportMapping',
  'How the columns of a file fill fields. A column that is not named is not imported',
  {
    headerRow: nullable(
      Integer(
        'Row with the names of the columns, counted from 1 without blank rows and a line `sep=`. Rows above it are not imported. Null: no row has names',
        1,
        { minimum: 1, maximum: importHeaderRowsMaximum },
      ),
    ),
    matchBy: Key,
    columns: Type.Array(
      ClosedObject({
        column: Integer('Position of the column, counted from 0', 0, {
          minimum: 0,
          maximum: importColumnsMaximum - 1,
        }),
        field: Field,
        emptyClears,
      }),
      { maxItems: importColumnsMaximum, description: 'The imported columns' },
    ),
  },
);
export type EmployeeImportMapping = Static<typeof EmployeeImportMapping>;

const EmployeeImportCounts = NamedObject('EmployeeImportCounts', 'Rows of the file by their effect', {
  employees: Count('Employees that the tenant had when the file was checked', 2000),
  adds: Count('New employees, also those of accepted questions', 12),
  changes: Count('Employees that change, also those of accepted questions', 40),
  errors: Count('Rows that cannot be imported', 3),
  questions: Count('Rows that are imported only if a user accepts them, also accepted ones', 4),
  accepted: Count('Accepted questions. They are adds or changes as well', 1),
  unchanged: Count('Rows without a change', 1900),
  applied: Count('Rows that were imported', 50),
  skipped: Count('Rows that were left out while the import was applied', 2),
});
export type EmployeeImportCounts = Static<typeof EmployeeImportCounts>;

/** Formats of files that are uploaded in place of CSV. */
export const otherFileFormats = [
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
] as const;

const EmployeeImportFailure = NamedObject('EmployeeImportFailure', 'Why a file could not be imported', {
  reason: Values(
    'EmployeeImportFailureReason',
    [
      'no_rows',
      'other_format',
      'unknown_encoding',
      'too_many_columns',
      'too_many_rows',
      'unclosed_quote',
      'permission',
      'internal',
    ],
    'Reason',
  ),
  line: nullable(Integer('Line of the file; null when it is about no line', 17, { minimum: 1 })),
  column: nullable(
    Integer('Character in the line, counted from 1; null when it is about none', 8, { minimum: 1 }),
  ),
  found: nullable(Text('The character or byte there; null when it is about none', '0x81')),
  format: orNull(
    Values('EmployeeImportFileFormat', otherFileFormats, 'Format of a file that is not CSV'),
    '`other_format`: the format of the file; null otherwise',
  ),
});
export type EmployeeImportFailure = Static<typeof EmployeeImportFailure>;

const Progress = ClosedObject({
  done: Count('Rows that are done', 300),
  total: Count('Rows in all', 1000),
});

export const EmployeeImport = NamedObject(
  'EmployeeImport',
  'A CSV file of employees, and what became of it',
  {
    id: Id('Unique identifier'),
    tenant: Id('Tenant of the employees'),
    status: Values('EmployeeImportStatus', employeeImportStatuses, 'State of the import'),
    fileName: Text('Name of the file; empty once a person of the tenant was erased', 'personal.csv'),
    encoding: Values(
      'EmployeeImportEncoding',
      ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'],
      'Encoding of the file',
    ),
    delimiter: Values('EmployeeImportDelimiter', [';', ',', '\t', '|'], 'Character between the values'),
    createdBy: PayrollActor,
    createdAt: Instant('When the file was uploaded'),
    progress: orNull(Progress, 'Progress of the work in the background; null without any'),
    counts: orNull(EmployeeImportCounts, 'The result; null before the file was checked'),
    needsConfirmation: Flag('Whether more than a tenth of the employees of the tenant would change', false),
    failure: orNull(EmployeeImportFailure, 'Why the import failed; null otherwise'),
    appliedBy: orNull(PayrollActor, 'Who applied it; null before that'),
    endedAt: nullable(Instant('When it was applied, discarded or failed; null before that')),
    expiresAt: Instant('When the import is removed with everything in it'),
  },
);
export type EmployeeImport = Static<typeof EmployeeImport>;

export const EmployeeImportList = NamedObject('EmployeeImportList', 'Imports', {
  items: Type.Array(EmployeeImport, {
    maxItems: importsMaximum,
    description: `The last ${importsMaximum} imports, the newest first`,
  }),
});

export const EmployeeImportDetails = NamedObject(
  'EmployeeImportDetails',
  'An import with its columns and their mapping',
  {
    import: EmployeeImport,
    rows: Type.Array(
      ClosedObject({
        line: Integer('Line of the file, counted from 1', 1, { minimum: 1 }),
        cells: Type.Array(Type.String(), {
          description: 'The first characters of its cells',
          examples: [['Personalnummer', 'Vorname', 'Nachname']],
        }),
      }),
      {
        maxItems: importFirstRowsMaximum,
        description:
          'The first rows of the file, in which a user chooses the header; none once the file was applied',
      },
    ),
    columns: Type.Array(
      ClosedObject({
        name: Text(
          'Name in the header of the mapping, with a number if the header repeats it: `Telefon (2)`; empty without a header',
          'Personalnummer',
        ),
        samples: Type.Array(Type.String(), {
          maxItems: 3,
          description: 'Values of the next rows; none once the file was applied',
          examples: [['10001', '10002', '10003']],
        }),
        isExact: nullable(
          Flag(
            'Whether its name is a known one of its field, or a user mapped it. If false, the field is proposed by similarity; null without a field',
            true,
          ),
        ),
      }),
      { description: 'The columns of the file, in its order' },
    ),
    mapping: {
      ...EmployeeImportMapping,
      description:
        'The mapping that was used. Otherwise a proposal: what was applied for the tenant last, or what the names say; it matches rows by the key that the most rows have',
    } as typeof EmployeeImportMapping,
    missing: Type.Array(Field, {
      description: 'Fields that a new employee needs and that no column of the mapping fills',
    }),
    fields: Type.Array(
      ClosedObject({
        field: Field,
        isRequired: Flag('Whether a new employee needs it', false),
        isClearable: Flag('Whether an empty cell can clear it', true),
      }),
      { description: 'The fields that a column can fill' },
    ),
  },
);
export type EmployeeImportDetails = Static<typeof EmployeeImportDetails>;

export const EmployeeImportQuery = ClosedObject({
  headerRow: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: importHeaderRowsMaximum,
      description: 'Proposes a mapping for this header, counted from 1; 0: no row has names',
      examples: [3],
    }),
  ),
});

/** The fields with null as a value. */
export const clearableFields: readonly string[] = Object.entries(
  EmployeePatch.properties as Record<string, { type?: unknown }>,
).flatMap(([name, { type }]) => (Array.isArray(type) ? [name] : []));

const EmployeeImportProblem = NamedObject('EmployeeImportProblem', 'A problem of a row or of its cell', {
  code: Values('EmployeeImportProblemCode', employeeImportProblemCodes, 'Reason'),
  column: nullable(Text('Name of the column; null for the row as a whole', 'Ort')),
  field: orNull(Field, 'Field of the column; null for the row as a whole'),
  found: nullable(
    Text('What the file has: the first characters of the cell, or a byte; null without any', 'Bonn'),
  ),
  suggestion: nullable(
    Text('The value that was probably meant; `not_editable`: the one that stays; null without one', '01067'),
  ),
  limit: nullable(
    Integer('`too_long`: the most characters; `repeated`: line of the other row; null otherwise', 20),
  ),
  line: nullable(Integer('Line of a character that cannot be read; null otherwise', 17, { minimum: 1 })),
  position: nullable(Integer('Its place in the line, counted from 1; null otherwise', 8, { minimum: 1 })),
});
export type EmployeeImportProblem = Static<typeof EmployeeImportProblem>;

const value = (description: string) => nullable(Text(description, 'Bonn'));

const Answer = Values(
  'EmployeeImportAnswer',
  ['import', 'leave_out'],
  'Whether a question is imported with its suggestions',
);

export const EmployeeImportRow = NamedObject('EmployeeImportRow', 'A row of the file', {
  line: Integer('Line of the file, counted from 1', 17, { minimum: 1 }),
  kind: Values(
    'EmployeeImportRowKind',
    ['add', 'change', 'error', 'unchanged', 'question'],
    'Effect of the row. A question is imported only if a user accepts it, and is an add or a change then',
  ),
  employeeId: nullable(Id('The employee; null for a new one that is not stored yet, and for an unknown one')),
  name: nullable(Text('Name of the person; null once the person was erased', 'Maria Schulz')),
  changes: Type.Array(
    ClosedObject({
      field: Field,
      before: value('Value before; null without one. A division has the names of its path'),
      after: value('Value of the file; null: it is cleared'),
    }),
    { description: 'The changed fields; all given fields of a new employee. A question has its suggestions' },
  ),
  problems: Type.Array(EmployeeImportProblem, {
    description: 'Why it cannot be imported, or what a user must decide',
  }),
  notices: Type.Array(EmployeeImportProblem, {
    description: 'Fields that are left out, while the others are imported',
  }),
  answer: orNull(Answer, 'The answer to a question; null before that. Unanswered questions are left out'),
  outcome: orNull(
    Values('EmployeeImportOutcome', ['applied', 'skipped'], 'What became of it'),
    'What became of the row; null before it was applied',
  ),
  reason: orNull(
    Values(
      'EmployeeImportSkipReason',
      ['changed', 'taken', 'rejected'],
      'Why it was left out: the employee was changed since the file was checked, the number or email is used by another one, or another rule rejects it',
    ),
    'Why it was left out; null otherwise',
  ),
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

export const EmployeeImportApply = NamedObject('EmployeeImportApply', 'What is confirmed', {
  confirmedChanges: Type.Optional(
    Count('The number of employees that change; required when the import needs confirmation', 812),
  ),
  mapping: Type.Optional(EmployeeImportMapping),
});
export type EmployeeImportApply = Static<typeof EmployeeImportApply>;

export const EmployeeImportAnswers = NamedObject('EmployeeImportAnswers', 'An answer to questions', {
  answer: Answer,
  lines: Type.Optional(
    Type.Array(Integer('Line of a question', 17, { minimum: 1 }), {
      minItems: 1,
      maxItems: 1000,
      description: 'The lines of the questions; left out: all questions',
    }),
  ),
});
export type EmployeeImportAnswers = Static<typeof EmployeeImportAnswers>;

export const importLanguages = ['de', 'en'] as const;

export const EmployeeImportErrorsQuery = ClosedObject({
  language: Type.Optional(
    Type.Enum([...importLanguages], {
      type: 'string',
      default: 'en',
      description: 'Language of the column that says what is wrong',
      examples: ['de'],
    }),
  ),
});

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
  success: { status: 200, body: EmployeeImportList },
});

export const getEmployeeImport = portalOperation({
  ...reading,
  path: '/employee-imports/{id}',
  parameters: ofImport,
  query: EmployeeImportQuery,
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
  query: EmployeeImportErrorsQuery,
  success: {
    status: 200,
    body: 'file',
    mediaTypes: ['text/csv'],
    made: 'from-rows',
  },
  errors: ['INVALID_STATE_TRANSITION'],
});
