import { readdirSync, readFileSync } from 'node:fs';

/** A process with all that it has started, and these again. Linux only; elsewhere the process alone. */
export function processTreeOf(process: number): number[] {
  const processes = [process];
  const children = childrenByParent();
  for (const member of processes) processes.push(...(children.get(member) ?? []));
  return processes;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of namesIn('/proc')) {
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function parentOf(name: string): number | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
