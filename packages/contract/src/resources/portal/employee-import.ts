import Type, { type Static } from 'typebox';
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
} from '../../schema.ts';
import { listOf } from '../../list.ts';
import { PayrollActor } from '../../payroll/settings.ts';
import { EmployeeCreate, EmployeePatch } from '../../employees/employees.ts';

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

/** Why a cell cannot be imported. */
export const employeeImportProblemCodes = [
  'missing',
  'invalid',
  'too_long',
  'repeated',
  'taken',
  'not_editable',
  'unknown_division',
  'ambiguous_division',
  'cell_count',
  'quote',
  'nul',
] as const;

/** Columns of a file. */
export const importColumnsMaximum = 200;

/** Rows of a file, without its header. */
export const importRowsMaximum = 100_000;

/** Rows with errors that are listed. A file with more needs another mapping, not a correction of its cells. */
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
    hasHeader: Flag(
      'Whether the first row has the names of the columns. Otherwise it is a row like the others',
      true,
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
  adds: Count('New employees', 12),
  changes: Count('Employees that change', 40),
  errors: Count('Rows that cannot be imported', 3),
  unchanged: Count('Rows without a change', 1900),
  applied: Count('Rows that were imported', 50),
  skipped: Count('Rows that were left out while the import was applied', 2),
});
export type EmployeeImportCounts = Static<typeof EmployeeImportCounts>;

const EmployeeImportFailure = NamedObject('EmployeeImportFailure', 'Why a file could not be imported', {
  reason: Values(
    'EmployeeImportFailureReason',
    [
      'no_rows',
      'repeated_column',
      'too_many_columns',
      'too_many_rows',
      'unclosed_quote',
      'permission',
      'internal',
    ],
    'Reason',
  ),
  line: nullable(Integer('Line of the file; null when it is about no line', 17, { minimum: 1 })),
  column: nullable(Text('Name of the column; null when it is about no column', 'Ort')),
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
    columns: Type.Array(
      ClosedObject({
        name: Text(
          'First characters of the cell in the first row, which is the name if there is a header; once the file was applied, only such a name',
          'Personalnummer',
        ),
        samples: Type.Array(Type.String(), {
          maxItems: 3,
          description: 'Values of the next rows; none once the file was applied',
          examples: [['10001', '10002', '10003']],
        }),
      }),
      { description: 'The columns of the file, in its order' },
    ),
    mapping: {
      ...EmployeeImportMapping,
      description:
        'The mapping that was used, or a proposal: what the tenant used last, or by the names. A first row is proposed as a header if it has a known name and no email address or number',
    } as typeof EmployeeImportMapping,
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

/** The fields with null as a value. */
export const clearableFields: readonly string[] = Object.entries(
  EmployeePatch.properties as Record<string, { type?: unknown }>,
).flatMap(([name, { type }]) => (Array.isArray(type) ? [name] : []));

const EmployeeImportProblem = NamedObject('EmployeeImportProblem', 'Why a row cannot be imported', {
  code: Values('EmployeeImportProblemCode', employeeImportProblemCodes, 'Reason'),
  column: nullable(Text('Name of the column; null for the row as a whole', 'Ort')),
  field: orNull(Field, 'Field of the column; null for the row as a whole'),
  value: nullable(Text('The first characters of the cell; null without any', 'Bonn')),
  limit: nullable(
    Integer('`too_long`: the most characters; `repeated`: line of the other row; null otherwise', 20),
  ),
});
export type EmployeeImportProblem = Static<typeof EmployeeImportProblem>;

const value = (description: string) => nullable(Text(description, 'Bonn'));

export const EmployeeImportRow = NamedObject('EmployeeImportRow', 'A row of the file', {
  line: Integer('Line of the file, counted from 1', 17, { minimum: 1 }),
  kind: Values('EmployeeImportRowKind', ['add', 'change', 'error', 'unchanged'], 'Effect of the row'),
  employeeId: nullable(Id('The employee; null for a new one that is not stored yet, and for an unknown one')),
  name: nullable(Text('Name of the person; null once the person was erased', 'Maria Schulz')),
  changes: Type.Array(
    ClosedObject({
      field: Field,
      before: value('Value before; null without one. A division has the names of its path'),
      after: value('Value of the file; null: it is cleared'),
    }),
    { description: 'The changed fields; all given fields of a new employee' },
  ),
  problems: Type.Array(EmployeeImportProblem, { description: 'Why it cannot be imported' }),
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

export const employeeImportViews = ['add', 'change', 'error', 'unchanged', 'applied', 'skipped'] as const;
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
