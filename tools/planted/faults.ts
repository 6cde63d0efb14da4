import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { keyFaults } from './keys.ts';
import { limitFaults } from './limits.ts';
import { listFaults } from './lists.ts';
import { payrollFaults } from './payroll.ts';
import { portalFaults } from './portal.ts';
import { ruleFaults } from './rules.ts';
import { scopeFaults } from './scope.ts';
import { writeFaults } from './writes.ts';

/** All faults that can be planted. */
export const faults: readonly Fault[] = [
  ...scopeFaults,
  ...ruleFaults,
  ...payrollFaults,
  ...listFaults,
  ...writeFaults,
  ...limitFaults,
  ...errorFaults,
  ...keyFaults,
  ...portalFaults,
];

/** The faults that .ci/run plants: one or two of each kind, with tests that take seconds. */
export const tenth: readonly string[] = [
  'scope-selected-tenant',
  'scope-subtree-root',
  'order-benefit',
  'division-own-name',
  'filter-nesting',
  'filter-sigma',
  'clock-advances',
  'json-nesting',
  'error-uncertain-write',
  'key-deleted',
  'portal-null-test',
];
