import { beginMaintenance, endMaintenance, type Maintenance, readMaintenance } from '../../write/writes.ts';
import { CommandError, defineDatabaseCommand, option } from '../program/command.ts';
import { minute } from '../program/output.ts';
import { parseDuration } from '../program/values.ts';

/** Characters of a reason at most. */
const longestReason = 200;

export const maintenanceOn = defineDatabaseCommand({
  summary: 'Make Kontor read-only: all writes are answered with 503 until "kontor maintenance off"',
  example: 'maintenance on --for 30m --reason "A new database server"',
  input: {
    for: option('--for <time>', 'How long it should take: 30m, 2h; it does not end by itself', parseDuration),
    reason: option('--reason <text>', 'Reason that users of the portal read', text => {
      if (text.trim() === '' || text.length > longestReason)
        throw new CommandError(`expected a text of at most ${longestReason} characters`);
      return text.trim();
    }),
  },
  async run({ db, json, stderr }, { for: duration, reason = null }) {
    const until = duration === undefined ? null : new Date(Date.now() + duration).toISOString();
    let last = 0;
    const maintenance = await beginMaintenance(db, { until, reason }, writes => {
      if (!json && writes !== last) stderr.write(`Waiting for ${writes} writes that began before\n`);
      last = writes;
    });
    return {
      json: { maintenance },
      text: `Kontor is read-only now${untilText(maintenance)}. No write is in progress any more. "kontor maintenance off" ends it`,
    };
  },
});

export const maintenanceOff = defineDatabaseCommand({
  summary: 'End read-only maintenance',
  example: 'maintenance off',
  async run({ db }) {
    if (!(await endMaintenance(db))) throw new CommandError('there is no maintenance to end');
    return { json: { maintenance: null }, text: 'Kontor accepts writes again' };
  },
});

export const maintenanceShow = defineDatabaseCommand({
  summary: 'Show whether Kontor is read-only, since when and why',
  example: 'maintenance show',
  async run({ db }) {
    const maintenance = await readMaintenance(db);
    if (maintenance === null) return { json: { maintenance }, text: 'No maintenance: Kontor accepts writes' };
    const reason = maintenance.reason === null ? '' : `: ${maintenance.reason}`;
    const since = minute(maintenance.since);
    return { json: { maintenance }, text: `Read-only since ${since}${untilText(maintenance)}${reason}` };
  },
});

function untilText({ until }: Maintenance): string {
  return until === null ? '' : `, announced until ${minute(until)}`;
}
