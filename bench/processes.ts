import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Clock ticks a second in /proc (USER_HZ of Linux). */
const ticks = 100;

/** A process with all that it has started, and these again. Linux only; elsewhere the process alone. */
export function processTreeOf(process: number): number[] {
  const processes = [process];
  const children = Map.groupBy(listProcesses(), child => Number(readStat(child)?.[1]));
  for (const member of processes) processes.push(...(children.get(member) ?? []));
  return processes;
}

/**
 * Milliseconds of a core that these processes and their children have used so far, those that have ended included. Linux only;
 * elsewhere 0.
 */
export function readCoreTime(processes: readonly number[]): number {
  let sum = 0;
  for (const process of listProcesses()) {
    const fields = readStat(process);
    if (fields === null) continue;
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map(n => Number(fields[n]));
    if (processes.includes(process)) sum += user! + system! + childUser! + childSystem!;
    else if (processes.includes(parent!)) sum += user! + system!;
  }
  return (sum * 1000) / ticks;
}

/** Records the memory of a process, in MiB, four times a second. Linux only. */
export async function recordMemory(memory: number[], process: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${process}/status`, 'latin1'))?.[1];
    memory.push(Number(resident) / 1024);
    await setTimeout(250);
  }
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The fields of /proc/PID/stat after the name of the program, whose brackets may hold anything; null when it has ended. */
function readStat(process: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${process}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
