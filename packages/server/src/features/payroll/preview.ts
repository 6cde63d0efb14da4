import type { PayrollSettingsInput, PayrollSettingsPreview } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import type { Month } from '../../lib/calendar.ts';
import { inSlices } from '../../lib/concurrency/in-slices.ts';
import { amount } from '../../lib/money.ts';
import { assessOrder } from './computation/assess.ts';
import type { OrderFacts, SettingsVersions } from './computation/facts.ts';
import type { Kind } from './computation/owed.ts';
import { readFacts } from './read.ts';
import { planSettings, readLastReleased, readSettings, type TenantKey } from './settings.ts';

/** Computes what settings would change in released months: the amounts that the next run would correct. Memory holds a page of orders. */
export async function previewSettings(
  db: Queryable,
  tenant: TenantKey,
  { wanted, at }: { wanted: PayrollSettingsInput; at: Date },
): Promise<PayrollSettingsPreview> {
  const before = await readSettings(db, tenant);
  const released = await readLastReleased(db, tenant);
  const after = planSettings(before, { ...tenant, wanted, released, at });
  const { from } = after.at(-1)!;
  if (before === null || released === null || from > released) return { from, released, differences: [] };
  const changes = new Map<string, { month: Month; kind: Kind; cents: bigint; persons: Set<string> }>();
  for await (const page of readFacts(db, { ...tenant, divisionId: null }))
    await inSlices(page, facts => {
      for (const [name, cents] of differencesOf(facts, { before, after, released })) {
        const [month, kind] = name.split(' ') as [Month, Kind];
        const change = changes.get(name) ?? { month, kind, cents: 0n, persons: new Set() };
        change.cents += cents;
        change.persons.add(facts.employeeId);
        changes.set(name, change);
      }
    });
  const differences = Array.from(changes.values(), ({ month, kind, cents, persons }) => ({
    month,
    kind,
    persons: persons.size,
    difference: amount(cents),
  }));
  return {
    from,
    released,
    differences: differences.toSorted((one, other) => (one.month < other.month ? -1 : 1)),
  };
}

/** How the amounts that a run would export differ, by month and kind, with the sign of the settings. */
function differencesOf(
  facts: OrderFacts,
  { before, after, released }: { before: SettingsVersions; after: SettingsVersions; released: Month },
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (versions: SettingsVersions, factor: bigint) => {
    const { entries } = assessOrder(facts, { versions, period: released, formats: [], cutOff: null });
    for (const { month, kind, cents, sign } of entries) {
      const name = `${month} ${kind}`;
      sums.set(name, (sums.get(name) ?? 0n) + cents * BigInt(sign) * factor);
    }
  };
  add(after, 1n);
  add(before, -1n);
  return new Map([...sums].filter(([, cents]) => cents !== 0n));
}
