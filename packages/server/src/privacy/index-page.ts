import { Employee, Incident, Order } from '@kontor/contract';
import type { TSchema } from 'typebox';
import { escapeHtml } from '../lib/html.ts';
import { amount } from '../lib/money.ts';
import { type SectionName, texts } from './index-texts.ts';
import { IndexValues, textOf } from './index-values.ts';
import type { Language } from './index-words.ts';
import type { StoredRow, StoredRows } from './stored-rows.ts';
import type { SubjectContext } from './subject-context.ts';

export interface ExportedFile {
  readonly id: string;
  /** The name in the ZIP; null when the bytes are missing. */
  readonly name: string | null;
  readonly problem: 'missing' | 'damaged' | null;
}

/** Both languages are in the page, and one is shown: German, or the one that the address names. It needs no script, also on paper. */
const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; } h2 { margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid #c8ced6; }
dl { display: grid; grid-template-columns: minmax(9rem, 1fr) 2fr; gap: .25rem 1rem; margin: 0; }
dt { color: #4a5563; } dd { margin: 0; white-space: pre-line; } dd dl { margin: .25rem 0 .75rem; padding-left: 1rem; border-left: 2px solid #c8ced6; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; } th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #dde2e8; text-align: left; vertical-align: top; overflow-wrap: break-word; }
.small { color: #4a5563; font-size: .8rem; } nav ul { columns: 2 16rem; padding-left: 1.25rem; }
body:has(#en:target, #en :target) #de, body:not(:has(#en:target, #en :target)) #en { display: none; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } thead { display: none; } table, tbody, tr, td { display: block; } tr { padding: .5rem 0; border-bottom: 1px solid #dde2e8; } td { padding: .1rem 0; border: 0; } td:empty { display: none; } td::before { content: attr(data-label) ": "; color: #4a5563; } }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } nav, .switch { display: none; } h2, h3 { break-after: avoid; } tr, dt, dd { break-inside: avoid; } a { color: inherit; } }`;

export interface PageContent {
  readonly rows: StoredRows;
  readonly context: SubjectContext;
  readonly files: readonly ExportedFile[];
  readonly now: Date;
}

/** Renders the page that shows the export to the data subject, in German and English. */
export function indexPage(content: PageContent): string {
  return `<!doctype html>
<html lang="de">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${texts.de.title} · ${texts.en.title}</title>
<style>${style}</style>
<main id="de" lang="de">
${new LanguagePage(content, 'de').render()}
</main>
<main id="en" lang="en">
${new LanguagePage(content, 'en').render()}
</main>
</html>
`;
}

const jsonFiles = [
  'employee',
  'orders',
  'incidents',
  'payroll',
  'payroll-answers',
  'payroll-proposals',
  'history',
  'imports',
  'audit',
];

/** Fields that identify rows, or that other parts of the page show. */
export const technical: ReadonlySet<string> = new Set([
  'id',
  'employeeId',
  'orderId',
  'decisionBy',
  'size',
  'mediaType',
  'attachment_sha256',
  'tenant_id',
  'division_id',
  'proposed_by',
]);

type Cells = readonly (readonly unknown[])[];

class LanguagePage {
  readonly #content: PageContent;
  readonly #language: Language;
  readonly #values: IndexValues;

  constructor(content: PageContent, language: Language) {
    this.#content = content;
    this.#language = language;
    this.#values = new IndexValues(language, content.context);
  }

  render(): string {
    const { rows, context, now } = this.#content;
    const text = texts[this.#language];
    const parts: Record<SectionName, string> = {
      purposes: this.#table(text.heads.purposes, text.purposes(context)),
      employee: this.#row(Employee, 'employee', rows.employee),
      orders: this.#rows(Order, 'order', rows.orders),
      incidents: this.#rows(Incident, 'incident', rows.incidents),
      payroll: this.#table(text.heads.payroll, this.#payroll()),
      answers: this.#table(text.heads.answers, this.#answers()),
      proposals: this.#table(text.heads.proposals, this.#proposals()),
      files: this.#files(),
      history: this.#table(text.heads.history, this.#history()),
      imports: this.#table(text.heads.imports, this.#imports()),
      audit: this.#table(text.heads.audit, this.#audit()),
      rights: `<ul>\n${text.rights.map(right => `<li>${right}</li>`).join('\n')}\n</ul>`,
      absent: `<p>${text.absent}</p>\n<p>${text.machines} ${jsonFiles.map(name => `<a href="${name}.json">${name}.json</a>`).join(', ')}</p>`,
    };
    const names = Object.keys(parts) as SectionName[];
    const own = (name: SectionName) => `${this.#language}-${name}`;
    const other = this.#language === 'de' ? 'en' : 'de';
    return `<p class="switch"><a href="#${other}" lang="${other}">${text.other}</a></p>
<h1>${text.title}</h1>
<p>${escapeHtml(text.intro(context.company))}</p>
<p>${text.made(this.#values.instant(now.toISOString()))}</p>
<nav aria-label="${text.contents}"><ul>
${names.map(name => `<li><a href="#${own(name)}">${text.sections[name]}</a></li>`).join('\n')}
</ul></nav>
${names.map(name => `<h2 id="${own(name)}">${text.sections[name]}</h2>\n${text.leads[name] === undefined ? '' : `<p>${text.leads[name]}</p>\n`}${parts[name]}`).join('\n')}`;
  }

  #rows(schema: TSchema, document: 'order' | 'incident', rows: readonly StoredRow[]): string {
    const text = texts[this.#language];
    if (rows.length === 0) return `<p>${text.none}</p>`;
    return rows
      .map(row => `<h3>${escapeHtml(this.#nameOf(document, row))}</h3>\n${this.#row(schema, document, row)}`)
      .join('\n');
  }

  #nameOf(document: 'order' | 'incident', row: StoredRow): string {
    return texts[this.#language][document](String(row.document[`${document}Number`]));
  }

  /** A document by its fields, the columns that are not in it, and the identifiers. */
  #row(schema: TSchema, document: string, { document: stored, internal }: StoredRow): string {
    const kept = Object.entries(internal).filter(([name, value]) => isStored(value) && !technical.has(name));
    const identifiers = ['id', 'orderId', 'divisionId', 'tenant'].flatMap(
      name => (stored[name] as string | undefined) ?? [],
    );
    return `<dl>
${this.#fields(schema, document, stored)}
${kept.map(([column, value]) => this.#pair(fieldOf(column), null, document, value)).join('\n')}
<dt class="small">${texts[this.#language].identifiers}</dt><dd class="small">${identifiers.join(', ')}</dd>
</dl>`;
  }

  #fields(schema: TSchema, document: string, stored: Readonly<Record<string, unknown>>): string {
    const { properties = {} } = schema as Described;
    return Object.entries(properties)
      .filter(([name]) => !technical.has(name) && isStored(stored[name]))
      .map(([name, field]) => this.#pair(name, field, document, stored[name]))
      .join('\n');
  }

  #pair(name: string, schema: TSchema | null, document: string, value: unknown): string {
    const words = escapeHtml(this.#values.field(name, document));
    return `<dt>${words}</dt><dd dir="auto">${this.#value(name, schema, document, value)}</dd>`;
  }

  #value(name: string, schema: TSchema | null, document: string, value: unknown): string {
    const { anyOf, items, properties } = (schema ?? {}) as Described;
    if (anyOf) return this.#value(name, anyOf[0]!, document, value);
    if (Array.isArray(value))
      return value.map(item => this.#value(name, items ?? null, document, item)).join('\n');
    if (properties) return `<dl>\n${this.#fields(schema!, document, value as Row)}\n</dl>`;
    if (isActor(value)) return escapeHtml(this.#values.actor(value.name, value.type));
    if (typeof value === 'object' && value !== null)
      return `<dl>\n${Object.entries(value)
        .filter(([field, own]) => !technical.has(field) && isStored(own))
        .map(([field, own]) => this.#pair(field, null, document, own))
        .join('\n')}\n</dl>`;
    return escapeHtml(this.#values.text(name, value, document));
  }

  #payroll(): Cells {
    const values = this.#values;
    return this.#content.rows.payroll.map(({ entry }) => [
      values.text('month', entry['month']),
      values.word('payroll.kind', entry['kind']),
      values.money(amount(BigInt(entry['cents'] as number)), 'EUR'),
      entry['contract_number'],
      entry['personnel_number'],
      entry['wage_type'],
      values.instant(String(entry['created_at'])),
      entry['reason'],
    ]);
  }

  #answers(): Cells {
    return this.#content.rows.answers.map(({ acknowledged_at: at, code, reason }) => [
      this.#values.instant(String(at)),
      this.#values.word('question', code),
      reason,
    ]);
  }

  #proposals(): Cells {
    return this.#content.rows.proposals.map(({ proposed_at: at, status, content }) => {
      const { settlement } = content as { settlement: Row };
      return [
        this.#values.instant(String(at)),
        this.#values.word('proposal.status', status),
        this.#values.text('month', settlement['month']),
        this.#values.money(String(settlement['amount']), 'EUR'),
        settlement['reason'],
      ];
    });
  }

  #history(): Cells {
    return this.#content.rows.history.flatMap(change =>
      Object.entries(change['changes'] as Record<string, [unknown, unknown]>).map(
        ([field, [before, after]]) => [
          this.#values.instant(String(change['at'])),
          this.#values.actor(change['actor_name'], change['actor_type']),
          this.#values.field(field),
          this.#values.text(field, before),
          this.#values.text(field, after),
        ],
      ),
    );
  }

  /** A row that could not be imported has the value of its problem. */
  #imports(): Cells {
    return this.#content.rows.imports.flatMap(({ uploaded_at: at, name, changes, problems }) => {
      const cells = [...(changes as Row[]), ...(problems as Row[])];
      return (cells.length > 0 ? cells : [{} as Row]).map(({ field, before, after, value }) => [
        this.#values.instant(String(at)),
        name,
        typeof field === 'string' ? this.#values.field(field) : '',
        ...[before, after, value].map(own =>
          own === undefined ? '' : this.#values.text(String(field), own),
        ),
      ]);
    });
  }

  #audit(): Cells {
    const { rows } = this.#content;
    const named = (document: 'order' | 'incident', of: readonly StoredRow[]) =>
      of.map(row => [row.document['id'], this.#nameOf(document, row)] as const);
    const names = new Map<unknown, string>([
      [rows.employee.document['id'], texts[this.#language].masterData],
      ...named('order', rows.orders),
      ...named('incident', rows.incidents),
    ]);
    return rows.audit.map(
      ({ at, action, actor_name: name, actor_type: type, actor, target_id: target, fields }) => [
        this.#values.instant(String(at)),
        this.#values.word('action', action),
        this.#values.actor(name ?? actor, type),
        names.get(target) ?? target,
        (Array.isArray(fields) ? fields : []).map(field => this.#values.field(String(field))).join(', '),
      ],
    );
  }

  #files(): string {
    const { files } = this.#content;
    const text = texts[this.#language];
    if (files.length === 0) return `<p>${text.none}</p>`;
    const items = files.map(({ id, name, problem }) => {
      const link = name === null ? id : `<a href="${escapeHtml(encodeURI(name))}">${escapeHtml(name)}</a>`;
      return `<li>${link}${problem === null ? '' : `: ${text[problem]}`}</li>`;
    });
    return `<ul>\n${items.join('\n')}\n</ul>`;
  }

  #table(heads: readonly string[], lines: Cells): string {
    if (lines.length === 0) return `<p>${texts[this.#language].none}</p>`;
    const cellOf = (cell: unknown, index: number) =>
      `<td dir="auto" data-label="${heads[index]}">${escapeHtml(textOf(cell))}</td>`;
    const rows = lines.map(cells => `<tr>${cells.map(cellOf).join('')}</tr>`);
    return `<table>\n<thead><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>`;
  }
}

type Row = Readonly<Record<string, unknown>>;

interface Described {
  readonly anyOf?: TSchema[];
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
}

/** Empty fields are left out: the page shows stored data. */
function isStored(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function isActor(value: unknown): value is { readonly type: string; readonly name: string } {
  return typeof value === 'object' && value !== null && 'type' in value && 'name' in value;
}

/** The field of a column, which is named like the field in snake case. */
function fieldOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
