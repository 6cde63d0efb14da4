import type { Fault } from './proxy.ts';
import type { Scenario } from './scenario.ts';

function struck(fault: Fault): Scenario['strike'] {
  return async ({ proxy, hold }) => {
    await proxy.strike(fault);
    try {
      await hold();
    } finally {
      await proxy.heal();
    }
  };
}

/** Faults of the way between the service and PostgreSQL. */
export const networkScenarios: readonly Scenario[] = [
  {
    name: 'reset-bytes',
    seconds: { short: 4, full: 40 },
    strike: struck({ name: 'reset at bytes' }),
  },
  {
    name: 'reset-statements',
    seconds: { short: 4, full: 40 },
    strike: struck({ name: 'reset between statements' }),
  },
  { name: 'half-open', seconds: { short: 6, full: 25 }, strike: struck({ name: 'half-open' }) },
  { name: 'refuse', seconds: { short: 2, full: 25 }, strike: struck({ name: 'refuse' }) },
  { name: 'mute', seconds: { short: 6, full: 25 }, strike: struck({ name: 'mute' }) },
  { name: 'delay', seconds: { short: 2, full: 25 }, strike: struck({ name: 'delay', milliseconds: 80 }) },
];
