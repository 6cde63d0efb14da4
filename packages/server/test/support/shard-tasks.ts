/**
 * How many tasks for shards the coordinator of a Citus cluster makes of a statement, by its plan (EXPLAIN, FORMAT JSON): one for each
 * shard that it touches, in each of the steps that it takes one after the other.
 */
export function tasksOf(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  return Object.entries(plan)
    .map(([name, value]) => (name === 'Task Count' ? Number(value) : tasksOf(value)))
    .reduce((sum, tasks) => sum + tasks, 0);
}
