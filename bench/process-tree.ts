import { readdirSync, readFileSync } from 'node:fs';

/** A process with all that it has started, and these again. Linux only; elsewhere the process alone. */
export function processTreeOf(process: number): number[] {
  const processes = [process];
  const children = findChildrenByParent();
  for (const member of processes) processes.push(...(children.get(member) ?? []));
  return processes;
}

function findChildrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of listNames('/proc')) {
    const parent = readParent(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readParent(name: string): number | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
