import type { Finding } from './ledger.ts';
import type { ScenarioRun } from './scenario-runs.ts';

/** Most different findings that are listed. */
const listed = 20;

const columns = ['requests', '2xx', '4xx', '503', 'longest ms', 'recovery ms', 'findings'];
const nameWidth = 16;
const minWidth = 6;

/** The names of the values in a line of a result. */
export function header(): string {
  return row('scenario', columns);
}

/** What a scenario came to, on one line. */
export function resultLine({ name, counts, recovery, findings }: ScenarioRun): string {
  const { requests, successes, rejections, unavailable, longest } = counts;
  const numbers = [requests, successes, rejections, unavailable, Math.round(longest)];
  const healthy = recovery === null ? 'never' : String(Math.round(recovery));
  return row(name, [...numbers.map(String), healthy, String(findings.length)]);
}

function row(name: string, cells: readonly string[]): string {
  return (
    name.padEnd(nameWidth) +
    cells.map((cell, n) => `  ${cell.padStart(Math.max(columns[n]!.length, minWidth))}`).join('')
  );
}

/** The findings, those of one kind as one line with an example. */
export function findingLines(runs: readonly ScenarioRun[]): string[] {
  const all = runs.flatMap(({ name, findings }) => findings.map(finding => ({ scenario: name, ...finding })));
  const groups = [...Map.groupBy(all, ({ kind }) => kind).values()];
  const rest = groups.length > listed ? [`… and ${groups.length - listed} more kinds`] : [];
  const sum = `${runs.length} scenarios, ${all.length} findings`;
  return ['', ...groups.slice(0, listed).map(groupLine), ...rest, sum];
}

function groupLine(group: readonly (Finding & { scenario: string })[]): string {
  const { kind, detail } = group[0]!;
  const scenarios = [...new Set(group.map(({ scenario }) => scenario))].join(', ');
  return `- ${group.length} × ${kind} (${scenarios}), such as ${detail}`;
}
