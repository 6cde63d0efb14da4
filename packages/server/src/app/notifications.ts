import { readFinishedImports } from '../features/employees/portal-import/finished.ts';
import { readFailingKeys } from '../features/keys/notices/failing.ts';
import { countWaitingOrders } from '../features/orders/waiting.ts';
import { readDuePayroll } from '../features/payroll/due.ts';
import { itemOf, type Source } from '../features/users/notifications/items.ts';

/** The features read the notifications. */
export const notificationSources: readonly Source[] = [
  {
    kinds: ['new_orders', 'expiring_orders'],
    async read(db, { hrScope }, period) {
      const { created, expiring } = await countWaitingOrders(db, hrScope, period);
      const counted = [
        ['new_orders', created],
        ['expiring_orders', expiring],
      ] as const;
      return counted.flatMap(([kind, { at, count, unread }]) =>
        at === null ? [] : [{ ...itemOf(kind, period, { at }), count, unread }],
      );
    },
  },
  {
    kinds: ['payroll_due'],
    read: async (db, { hrScope }, period) =>
      (await readDuePayroll(db, hrScope, period.until)).map(due => itemOf('payroll_due', period, due)),
  },
  {
    kinds: ['finished_import'],
    read: async (db, { hrScope: scope, userId }, period) =>
      (await readFinishedImports(db, { scope, userId }, period.until)).map(ended =>
        itemOf('finished_import', period, ended),
      ),
  },
  {
    kinds: ['failing_key'],
    read: async (db, { scope }, period) =>
      (await readFailingKeys(db, scope, period.until)).map(key => itemOf('failing_key', period, key)),
  },
];
