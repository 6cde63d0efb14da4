import { readFileSync } from 'node:fs';
import { apis, type Operation } from '@kontor/contract';

const file = new URL('../../docs/specification.md', import.meta.url);

/** The text of docs/specification.md, with the operations of the contract in the table of 5.1. */
export function renderSpecification(): string {
  const rows = Object.entries(Object.groupBy(Object.values(apis.public.operations), ({ tag }) => tag)).map(
    ([tag, operations = []]) => [tag, renderOperations(operations)] as const,
  );
  const table = renderTable(['Resource', 'Operations'], rows);
  return readFileSync(file, 'utf8').replace(/^\| Resource +\| Operations +\|\n(\|.*\n)+/m, () => table);
}

/** `GET`, `POST /divisions`; `GET`, `PATCH /divisions/{id}` */
function renderOperations(operations: readonly Operation[]): string {
  const paths = Object.entries(Object.groupBy(operations, ({ path }) => path));
  return paths
    .map(([path, onPath = []]) =>
      onPath
        .map(({ method }, index) => `\`${method}${index === onPath.length - 1 ? ` ${path}` : ''}\``)
        .join(', '),
    )
    .join('; ');
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map(row => row[column]!.length)));
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(' | ')} |\n`;
  return [line(head), line(['', ''], '-'), ...rows.map(row => line(row))].join('');
}
