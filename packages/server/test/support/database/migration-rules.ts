import type { Migration } from '../../../src/db/migrate.ts';

/** What is wrong with migrations, by their names: what the runner relies on, and does not check itself. */
export function findProblems(migrations: readonly Migration[]): string[] {
  const numberOf = ({ name }: Migration) => name.slice(0, 4);
  return migrations.flatMap((migration, i) => {
    const problems: string[] = [];
    const earlier = migrations.slice(0, i);
    if (earlier.some(other => numberOf(other) === numberOf(migration)))
      problems.push('has the number of another one');
    if (![...earlier, migration].some(other => numberOf(other) === migration.compatibleWith))
      problems.push(`is compatible with ${migration.compatibleWith}, which is no migration up to this one`);
    const problem = findProblemOfStatement(migration);
    return [...problems, ...(problem === null ? [] : [problem])].map(
      problem => `${migration.name} ${problem}`,
    );
  });
}

/** Other statements may be half done when they are interrupted, and could not be repeated. */
const repeatable =
  /^(CREATE (UNIQUE )?INDEX CONCURRENTLY (?!IF |ON )\w+ ON |DROP INDEX CONCURRENTLY IF EXISTS \w+;?$)/i;

function findProblemOfStatement({ mode, text }: Migration): string | null {
  if (mode === 'in one transaction') return null;
  const statement = text
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!/^[^;]+;?$/.test(statement)) return `runs ${mode} and is not one statement`;
  if (mode === 'outside of a transaction')
    return repeatable.test(statement) ? null : 'cannot be repeated when it was interrupted';
  if (!/^(UPDATE|INSERT|DELETE|MERGE) /i.test(statement)) return 'runs in batches and changes no rows';
  // The last batch would skip locked rows, and the migration would end without it.
  return / SKIP LOCKED\b/i.test(statement) ? 'skips locked rows' : null;
}
