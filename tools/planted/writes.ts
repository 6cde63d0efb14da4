import type { Fault } from './fault.ts';

/** The clock of an organization, counters, the audit, and what a transaction comes to. */
export const writeFaults: readonly Fault[] = [
  {
    name: 'clock-advances',
    breaks: 'each write has a later instant than the one before',
    before: "(clock AT TIME ZONE 'UTC' + interval '1 millisecond')",
    after: "(clock AT TIME ZONE 'UTC' + interval '0 millisecond')",
    caughtBy: ['write/clock'],
  },
  {
    name: 'counter-adds',
    breaks: 'counters add up',
    before: 'DO UPDATE SET n = counter.n + excluded.n`;',
    after: 'DO UPDATE SET n = excluded.n`;',
    caughtBy: ['write/writes', 'features/employees/create-employee'],
  },
  {
    name: 'counter-left-division',
    breaks: 'an employee who moves is no longer counted where they were',
    before: "own.count('employee', placesOf(before.tenant, before.divisionId), -1);",
    after: "own.count('employee', placesOf(before.tenant, before.divisionId), 0);",
    caughtBy: ['features/employees/update-employee'],
  },
  {
    name: 'followers-move',
    breaks: 'orders and incidents move with their employee',
    before: 'division_id = m.division_id FROM ${moved}',
    after: 'division_id = m.division_before FROM ${moved}',
    caughtBy: ['features/employees/followers'],
  },
  {
    name: 'followers-settle',
    breaks: 'orders and incidents get the tenant of their employee',
    before: 'f SET tenant_id = m.tenant_id,',
    after: 'f SET tenant_id = m.tenant_before,',
    caughtBy: ['features/employees/followers', 'platform/employees'],
  },
  {
    name: 'closure-table',
    breaks: 'a moved subtree leaves its old ancestors',
    before: '(SELECT ancestor_id FROM before EXCEPT SELECT ancestor_id FROM later) AS above',
    after: '(SELECT ancestor_id FROM before INTERSECT SELECT ancestor_id FROM later) AS above',
    caughtBy: ['features/divisions/moves'],
  },
  {
    name: 'audit-actor',
    breaks: 'the audit names the actor by identifier',
    before: "column('actor', ({ actor }) => actor.id),",
    after: "column('actor', ({ actor }) => actor.name),",
    caughtBy: ['write/writes', 'platform/audit'],
  },
  {
    name: 'dry-run-stores',
    breaks: 'a dry run stores nothing',
    before: 'throw new RollBack(outcomes[0]!);',
    after: 'return outcomes[0]! as never;',
    caughtBy: ['service/dry-runs'],
  },
  {
    name: 'rolled-back-commit',
    breaks: 'a commit that ends with ROLLBACK is an error',
    before: "if (command !== 'COMMIT') throw",
    after: "if (command === '') throw",
    caughtBy: ['db/transaction'],
  },
  {
    name: 'unchanged-update',
    breaks: 'an update that changes nothing leaves the clock alone',
    before: 'if (!changes) throw new RollBack(outcomes);',
    after: 'if (!changes) return outcomes;',
    caughtBy: ['write/writes'],
  },
  {
    name: 'authority-checked',
    breaks: 'a write of a user whose permissions have changed is rejected',
    before: 'if (!isDeepStrictEqual(allowedOf(present), allowedOf(admitted)))',
    after: 'if (!isDeepStrictEqual(allowedOf(present), allowedOf(present)))',
    caughtBy: ['portal/users', 'security/permission-changes'],
  },
];
