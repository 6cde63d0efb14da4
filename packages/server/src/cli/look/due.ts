import { orderClockworks } from '../../features/orders/jobs.ts';
import { databaseSettings, defineCommand } from '../command.ts';
import { minute, table } from '../table.ts';

/** `kontor order due`: what the clockworks of the service would do now, without doing it. */
export const orderDue = defineCommand({
  name: 'order due',
  summary:
    'Show how many orders are due to expire, to be completed or to be decided by a rule, and since when; the service does that by itself',
  settings: databaseSettings,
  async run(context) {
    const { writes: db } = await context.openDatabase();
    const due: Listed[] = [];
    for (const { name, look } of orderClockworks)
      for (const { organizationId, count, since } of await look(db))
        due.push({ clockwork: name, organizationId, count, since: since.toISOString() });
    return { json: { due }, text: textOf(due) };
  },
});

interface Listed {
  readonly clockwork: string;
  readonly organizationId: string;
  readonly count: number;
  readonly since: string;
}

function textOf(due: readonly Listed[]): string {
  if (due.length === 0) return 'No order is due';
  const rows = due.map(({ clockwork, organizationId, count, since }) => [
    clockwork,
    organizationId,
    count,
    minute(since),
  ]);
  return table(['clockwork', 'organization', 'orders', 'since'], rows);
}
