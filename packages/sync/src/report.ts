import type { Applied } from './apply.ts';
import type { PersonField } from './config.ts';
import { countPersons, type Plan } from './plan.ts';
import type { Quota } from './server.ts';
import type { Value } from './merge.ts';

/** Lines of each list that are printed; `report.json` and `plan.json` have all. */
const maxLines = 10;

/** The exit code of a run that did its work and leaves something to a person. */
export const attentionCode = 2;

const number = (value: number) => value.toLocaleString('en');
export const count = (value: number, one: string, many = `${one}s`) =>
  `${number(value)} ${value === 1 ? one : many}`;
/** A field as the configuration names it. */
export const fieldName = (field: PersonField) => (field === 'divisionId' ? 'division' : field);
/** A value for people. A division is shown by its path. */
export const show = (value: Value, paths: Plan['paths']) =>
  value === null ? 'nothing' : typeof value === 'string' ? `"${paths[value] ?? value}"` : String(value);

/** Requests that a plan needs: its writes, and the two that read the changes afterwards. */
export function countRequests(plan: Plan): number {
  const { divisions } = plan;
  const writes = divisions.creates.length + divisions.renames.length + countPersons(plan);
  return writes === 0 ? 0 : writes + 2;
}

/** Whole minutes that requests need under a quota; 0 for less than one window. */
export function minutesOf(requests: number, quota: Quota | null): number {
  if (quota === null || requests <= quota.requests) return 0;
  return Math.ceil(((requests / quota.requests) * quota.seconds) / 60);
}

/** Whether a plan leaves something to a person. */
export function needsAttention({ conflicts, rejects, manual, absent }: Plan): boolean {
  return conflicts.length + rejects.length + manual.length + absent.length > 0;
}

/** A plan for people. `file` is the name of its source. */
export function planText(plan: Plan, quota: Quota | null): string {
  const { counts, divisions, paths } = plan;
  const requests = countRequests(plan);
  const minutes = minutesOf(requests, quota);
  return [
    `${count(counts.file, 'person', 'people')} in the file, ${number(counts.kontor)} in Kontor`,
    ...summary([
      [divisions.creates.length, 'new division'],
      [divisions.renames.length, 'renamed division'],
      [plan.creates.length, 'new person', 'new people'],
      [plan.updates.length, 'changed person', 'changed people'],
      [plan.blocks.length, 'person to block', 'people to block'],
      [plan.absent.length, 'absent person', 'absent people', ', not blocked'],
      [plan.kept.length, 'value', 'values', ' changed in Kontor, kept'],
      [plan.conflicts.length, 'conflict', 'conflicts', ', not written: decide with kontor-sync resolve'],
      [plan.rejects.length, 'rejected row or cell', 'rejected rows or cells'],
      [plan.manual.length, 'task', 'tasks', ' for HR in the portal'],
    ]),
    ...list(divisions.creates, ({ path }) => `division ${path}`),
    ...list(divisions.renames, ({ before, name }) => `rename   ${before}: ${name}`),
    ...list(plan.creates, ({ name }) => `create   ${name}`),
    ...list(plan.updates, ({ name, changes }) => {
      const fields = changes.map(
        ({ field, before, after }) => `${fieldName(field)} ${show(before, paths)} → ${show(after, paths)}`,
      );
      return `change   ${name}: ${fields.join(', ')}`;
    }),
    ...list(plan.blocks, ({ name }) => `block    ${name}`),
    ...list(plan.absent, ({ name }) => `absent   ${name}`),
    ...list(plan.conflicts, ({ name, field, source, server }) => {
      return `conflict ${name}: ${fieldName(field)} is ${show(source, paths)} in the file and ${show(server, paths)} in Kontor`;
    }),
    ...list(plan.rejects, ({ line, column, found, reason }) => {
      const place = column === null ? `line ${line}` : `line ${line}, ${column}`;
      return `reject   ${place}: ${reason}${found === null ? '' : ` ("${found}")`}`;
    }),
    ...list(plan.manual, ({ name, todo }) => `portal   ${name}: ${todo}`),
    requests === 0
      ? `Nothing to ${needsAttention(plan) ? 'write' : 'do'}`
      : `${count(requests, 'request')}, ${minutes === 0 ? 'less than a minute' : `about ${count(minutes, 'minute')}`}${quotaText(quota)}`,
    ...(plan.brake === null ? [] : [stoppedText(plan)]),
  ].join('\n');
}

/** Why nothing is written, and what a person does about it. */
export const stoppedText = (plan: Plan) =>
  `Stopped: ${plan.brake}. Nothing was written. If the file is right, add --yes-change ${countPersons(plan)}`;

const quotaText = (quota: Quota | null) =>
  quota === null ? '' : ` with ${number(quota.requests)} requests in ${quota.seconds} s`;

/** A line for each number, with the words for one and for many. */
function summary(counts: readonly (readonly [number, string, string?, string?])[]): string[] {
  return counts
    .filter(([value]) => value > 0)
    .map(
      ([value, one, many, rest = '']) =>
        `${number(value).padStart(8)} ${value === 1 ? one : (many ?? `${one}s`)}${rest}`,
    );
}

function list<T>(items: readonly T[], lineOf: (item: T) => string): string[] {
  const lines = items.slice(0, maxLines).map(item => `  ${lineOf(item)}`);
  return items.length > maxLines ? [...lines, `  … and ${number(items.length - maxLines)} more`] : lines;
}

/** The result of `apply` for people. */
export function appliedText({ divisions, creates, updates, blocks, skipped, manual }: Applied): string {
  return [
    `Done: ${count(creates, 'person', 'people')} created, ${number(updates)} changed, ${number(blocks)} blocked, ${count(divisions, 'division')} written`,
    ...list(skipped, ({ name, reason }) => `skipped  ${name}: ${reason}`),
    ...list(manual, ({ name, todo }) => `portal   ${name}: ${todo}`),
  ].join('\n');
}
