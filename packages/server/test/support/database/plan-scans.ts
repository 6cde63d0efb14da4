/** A node of a plan as EXPLAIN (FORMAT JSON) shows it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables that the plan scans without a condition on the organization; `owned` are those of which rows belong to one. */
export function unboundScans(plan: PlanNode, owned: ReadonlySet<string>): string[] {
  const below = (plan.Plans ?? []).flatMap(child => unboundScans(child, owned));
  const table = plan['Relation Name'];
  if (table === undefined || !plan['Node Type'].endsWith('Scan')) return below;
  const column = table === 'organization' ? ownId : owned.has(table) ? organizationId : null;
  if (column === null) return below;
  const conditions = [plan['Index Cond'], plan['Recheck Cond'], plan.Filter];
  return conditions.some(condition => condition !== undefined && binds(condition, column))
    ? below
    : [table, ...below];
}

/** `organization_id`, or whatever a statement calls it in its place. */
const organizationId = String.raw`(?:\w+\.)?\w*organization\w*`;

/** The identifier of an organization in its own table. */
const ownId = String.raw`(?:\w+\.)?id`;

/** Whether a condition, as EXPLAIN writes it, can only be true of rows with a column that equals something. */
function binds(condition: string, column: string): boolean {
  const bare = withoutBrackets(condition);
  const alternatives = split(bare, ' OR ');
  if (alternatives.length > 1) return alternatives.every(part => binds(part, column));
  const parts = split(bare, ' AND ');
  if (parts.length > 1) return parts.some(part => binds(part, column));
  return new RegExp(`^(${column} = (?!ANY ).+|\\S+ = ${column})$`).test(bare);
}

/** The text without the brackets around all of it. */
function withoutBrackets(text: string): string {
  const isWrapped = text.startsWith('(') && depths(text).indexOf(0) === text.length - 1;
  return isWrapped ? withoutBrackets(text.slice(1, -1)) : text;
}

/** How many brackets are open behind each character; those in a quoted text do not count. */
function depths(text: string): number[] {
  let open = 0;
  let quoted = false;
  return Array.from(text, character => {
    if (character === "'") quoted = !quoted;
    if (!quoted && character === '(') open++;
    if (!quoted && character === ')') open--;
    return quoted ? Infinity : open;
  });
}

/** The parts of a text between separators that are in no brackets. */
function split(text: string, separator: string): string[] {
  const open = depths(text);
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (open[at] !== 0) continue;
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  return [...parts, text.slice(start)];
}
