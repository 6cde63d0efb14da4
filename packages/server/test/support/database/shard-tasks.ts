/**
 * How many shards the coordinator of a Citus cluster asks for a statement, by its plan (EXPLAIN, FORMAT JSON): the most tasks of one of the
 * steps that it takes one after the other. A statement of one organization has one task in each, all of the same shard.
 */
export function tasksOf(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const tasks = Object.entries(plan).map(([name, value]) =>
    name === 'Task Count' ? Number(value) : tasksOf(value),
  );
  return Math.max(0, ...tasks);
}
