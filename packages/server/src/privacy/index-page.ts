import { Employee, Incident, Order } from '@kontor/contract';
import type { TSchema } from 'typebox';
import { amount } from '../lib/money.ts';
import { escapeHtml } from '../lib/html.ts';
import { columnOf } from '../lib/render-row.ts';
import type { StoredRows, StoredRow } from './stored-rows.ts';

export interface ExportedFile {
  readonly id: string;
  /** The name in the ZIP; null when the bytes are missing. */
  readonly name: string | null;
  readonly problem: string | null;
}

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: minmax(12rem, 1fr) 2fr; gap: .25rem 1rem; }
dt { color: #555; } dd { margin: 0; } dd dl { border-left: 2px solid #ddd; padding-left: 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .25rem 1rem .25rem 0; vertical-align: top; }`;

/** Renders the page that explains the export to the data subject, in the words of the contract. */
export function indexPage(rows: StoredRows, files: readonly ExportedFile[], now: Date): string {
  const { employee, orders, incidents, payroll, answers, proposals, history, imports, audit } = rows;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>What is stored about you</title>
<style>${style}</style>
<h1>What is stored about you</h1>
<p>Made on ${plain(now.toISOString())}. This archive has all that the system keeps about you: your master data, ${counted(orders, 'order')},
${counted(incidents, 'incident')}, ${counted(files, 'file')} and a list of what was done with them. The same, for programs to read, is in <a href="employee.json">employee.json</a>, <a href="orders.json">orders.json</a>, <a href="incidents.json">incidents.json</a>, <a href="payroll.json">payroll.json</a>, <a href="payroll-answers.json">payroll-answers.json</a>, <a href="payroll-proposals.json">payroll-proposals.json</a>, <a href="history.json">history.json</a>, <a href="imports.json">imports.json</a> and
<a href="audit.json">audit.json</a>. Times are in UTC.</p>
<h2>You</h2>
${rowDetails(Employee, employee)}
<h2>Your orders</h2>
${orders.map((order, n) => `<h3>Order ${n + 1}</h3>\n${rowDetails(Order, order)}`).join('\n') || '<p>None.</p>'}
<h2>Your incidents</h2>
${incidents.map((incident, n) => `<h3>Incident ${n + 1}</h3>\n${rowDetails(Incident, incident)}`).join('\n') || '<p>None.</p>'}
<h2>Amounts that payroll exported</h2>
${payrollTable(payroll)}
<h2>What was answered about you before a payroll month was released</h2>
${answerTable(answers)}
<h2>Payroll amounts about you that were proposed to be settled</h2>
${proposalTable(proposals)}
<h2>Files</h2>
${files.length === 0 ? '<p>None.</p>' : `<ul>\n${files.map(fileItem).join('\n')}\n</ul>`}
<h2>What was changed in your master data</h2>
${historyTable(history)}
<h2>Rows about you in uploaded files</h2>
<p>Your employer uploads lists of employees. What they change is kept for 30 days at most.</p>
${importsTable(imports)}
<h2>What was done with your data</h2>
<p>The names of the fields are kept, not what was in them.</p>
${auditTable(audit)}
<h2>What is not here</h2>
<p>Files for the payroll have lines about many people, so they are not in this archive; the amounts above are yours.
Backups have older states of the same data. Whoever received your data from this system is known to your employer.</p>
</html>
`;
}

/** Renders a document by the descriptions of its fields, followed by the columns that are not in it. */
function rowDetails(schema: TSchema, { document, internal }: StoredRow): string {
  const kept = Object.entries(internal).filter(([, value]) => value !== null);
  const alongside = kept.map(([name, value]) => row(columnWords[name] ?? name, plain(value))).join('\n');
  return `<dl>\n${fields(schema, document)}\n${alongside}\n</dl>`;
}

/** Labels of columns that no document contains. */
const columnWords: Readonly<Record<string, string>> = {
  is_s_pedelec: 'Whether the bike is an S-pedelec',
  bike_returned: 'Whether the bike was given back for the leave',
  leave_comment: 'Comment on the leave',
  leave_payer: 'Who pays the rate during the leave',
  payroll_changed_at: 'When what payroll depends on last changed',
  activated_at: 'When the account was activated',
  attachment_sha256: 'Checksums of the files (SHA-256)',
  division_id: 'Division of the employee',
  erased_at: 'When the data were erased',
  tenant_id: 'Tenant (company) of the employee',
};

/** The description of a field, up to the first semicolon: the rest is for programmers. */
function words(name: string, field: TSchema): string {
  if (name === 'countryCode') return 'Country';
  return ((field as Described).description ?? name).replace(/;.*$/s, '');
}

function counted(all: readonly unknown[], noun: string): string {
  return `${all.length} ${noun}${all.length === 1 ? '' : 's'}`;
}

interface Described {
  readonly description?: string;
  readonly anyOf?: TSchema[];
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
}

function fields(schema: TSchema, document: Readonly<Record<string, unknown>>): string {
  const { properties = {} } = schema as Described;
  return Object.entries(properties)
    .map(([name, field]) => row(words(name, field), valueOf(field, document[name])))
    .join('\n');
}

function valueOf(schema: TSchema, value: unknown): string {
  const { anyOf, items, properties } = schema as Described;
  if (value === null || value === undefined) return '–';
  if (anyOf) return valueOf(anyOf[0]!, value);
  if (items && Array.isArray(value)) return value.map(item => valueOf(items, item)).join('\n') || '–';
  if (properties) return `<dl>\n${fields(schema, value as Record<string, unknown>)}\n</dl>`;
  return plain(value);
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escapeHtml(typeof value === 'string' ? readable(value) : JSON.stringify(value));
}

/** Shortens an instant to the minute, and returns any other text unchanged. */
function readable(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?(Z|\+00:00)$/, '$1 $2');
}

function row(name: string, value: string): string {
  return `<dt>${escapeHtml(name)}</dt><dd dir="auto">${value}</dd>`;
}

function fileItem({ id, name, problem }: ExportedFile): string {
  const link = name === null ? id : `<a href="${escapeHtml(encodeURI(name))}">${escapeHtml(name)}</a>`;
  return `<li>${link}${problem === null ? '' : `: ${escapeHtml(problem)}`}</li>`;
}

function payrollTable(payroll: StoredRows['payroll']): string {
  const names = ['month', 'kind', 'contract_number', 'personnel_number', 'wage_type', 'created_at', 'reason'];
  return table(
    ['EUR', 'Month', 'Kind', 'Contract', 'Personnel number', 'Wage type', 'When', 'Reason'],
    payroll.map(({ entry }) => [amount(BigInt(entry['cents'] as number)), ...names.map(name => entry[name])]),
  );
}

function answerTable(answers: StoredRows['answers']): string {
  return table(
    ['When', 'Question', 'Answer'],
    answers.map(({ acknowledged_at: at, code, reason }) => [at, code, reason]),
  );
}

function proposalTable(proposals: StoredRows['proposals']): string {
  return table(
    ['When', 'State', 'Month', 'Amount', 'Reason'],
    proposals.map(({ proposed_at: at, status, content }) => {
      const { settlement } = content as { settlement: Record<string, unknown> };
      return [at, status, settlement['month'], settlement['amount'], settlement['reason']];
    }),
  );
}

function historyTable(history: StoredRows['history']): string {
  return table(
    ['When', 'Who', 'What', 'Before', 'After'],
    history.flatMap(change =>
      Object.entries(change['changes'] as Record<string, [unknown, unknown]>).map(
        ([field, [before, after]]) => [change['at'], change['actor_name'], fieldWords(field), before, after],
      ),
    ),
  );
}

/** A row that could not be imported has the value of its problem. */
function importsTable(imports: StoredRows['imports']): string {
  type Cell = Readonly<Record<string, unknown>>;
  return table(
    ['When', 'Name', 'What', 'Before', 'After', 'Rejected value'],
    imports.flatMap(({ uploaded_at: at, name, changes, problems }) => {
      const cells = [...(changes as Cell[]), ...(problems as Cell[])];
      return (cells.length > 0 ? cells : [{}]).map(({ field, before, after, value }) => [
        at,
        name,
        typeof field === 'string' ? fieldWords(field) : '',
        before,
        after,
        value,
      ]);
    }),
  );
}

function fieldWords(field: string): string {
  const named = Employee.properties[field as keyof typeof Employee.properties];
  return named ? words(field, named) : (columnWords[columnOf(field)] ?? field);
}

function table(heads: readonly string[], lines: readonly (readonly unknown[])[]): string {
  if (lines.length === 0) return '<p>None.</p>';
  const rows = lines.map(
    cells => `<tr>${cells.map(value => `<td>${plain(value ?? '')}</td>`).join('')}</tr>`,
  );
  return `<table>\n<tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr>\n${rows.join('\n')}\n</table>`;
}

function auditTable(audit: StoredRows['audit']): string {
  return table(
    ['When', 'What', 'Who', 'Of what', 'Fields'],
    audit.map(({ at, action, actor_name: name, actor, target_id: target, fields }) => [
      at,
      action,
      name ?? actor,
      target,
      Array.isArray(fields) ? fields.join(', ') : fields,
    ]),
  );
}
