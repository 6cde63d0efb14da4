import { glob } from 'node:fs/promises';

/**
 * What `--short` runs: the cluster itself, with polling under load; operations that read and write, what a scope hides, keys, and the
 * way of a write.
 */
const short = [
  'packages/server/test/citus',
  'packages/server/test/features/divisions/create-division.test.ts',
  'packages/server/test/features/employees/list-employees.test.ts',
  'packages/server/test/features/employees/batched-writes.test.ts',
  'packages/server/test/features/incidents/create-incident.test.ts',
  'packages/server/test/auth/api-keys.test.ts',
  'packages/server/test/features/orders/decide-order.test.ts',
  'packages/server/test/scope/hidden-rows.test.ts',
  'packages/server/test/write',
];

/** Files and folders of tests that do not run on a cluster, each with the reason, which every run prints. */
export const elsewhere: Readonly<Record<string, string>> = {
  'packages/contract/test': 'no database',
  'packages/embedded-postgres/test': 'the embedded PostgreSQL',
  'packages/server/test/cli/embedded-backup.test.ts': 'the embedded PostgreSQL',
  'packages/server/test/config': 'no database',
  'packages/server/test/jobs/plans.test.ts': 'plans of one server',
  'packages/server/test/query/plans.test.ts': 'plans of one server',
  'packages/server/test/query/probe.test.ts': 'plans of one server',
  'packages/server/test/db/connect.test.ts': 'the driver',
  'packages/server/test/db/migration-modes.test.ts': 'a plain database',
  'packages/server/test/db/migration-race.test.ts': 'a plain database',
  'packages/server/test/guards/bound-statements.test.ts':
    'the guard of one server; that of a cluster is shown in citus/guard.test.ts',
  'packages/server/test/privacy/retention.test.ts': 'no database',
  'packages/server/test/platform/intake-plans.test.ts': 'plans of one server',
  'packages/server/test/imports/interrupted.test.ts': 'stops an import by the locks of one server',
  'packages/server/test/imports/copy.test.ts': 'temporary tables of one server',
};

/**
 * The arguments for a run of tests on a cluster: those that were given, `--short` for the tests named above, and without any
 * files or folders all tests but those that have no place there.
 */
export async function findCitusTests(args: readonly string[]): Promise<string[]> {
  const options = args.filter(argument => argument.startsWith('-') && argument !== '--short');
  const places = args.filter(argument => !argument.startsWith('-'));
  if (places.length > 0) return [...options, ...places];
  const isIn = (file: string, folders: readonly string[]) =>
    folders.some(folder => file === folder || file.startsWith(`${folder}/`));
  const files = await Array.fromAsync(glob('packages/*/test/**/*.test.ts'));
  return [
    ...options,
    ...files
      .filter(file => !isIn(file, Object.keys(elsewhere)))
      .filter(file => !args.includes('--short') || isIn(file, short))
      .sort(),
  ];
}
