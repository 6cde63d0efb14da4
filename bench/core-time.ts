import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (USER_HZ of Linux). */
const ticks = 100;

/**
 * Milliseconds of a core that these processes and their children have used so far, those that have ended included. Linux only;
 * elsewhere 0.
 */
export function readCoreTime(processes: readonly number[]): number {
  let sum = 0;
  for (const name of processNames()) {
    const fields = readStat(name);
    if (fields === null) continue;
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map(n => Number(fields[n]));
    if (processes.includes(Number(name))) sum += user! + system! + childUser! + childSystem!;
    else if (processes.includes(parent!)) sum += user! + system!;
  }
  return (sum * 1000) / ticks;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** What stands in /proc/PID/stat behind the name of the program, whose brackets may hold anything; null when it has ended. */
function readStat(name: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
