/** An answer of the service: which operation, with which status. */
export interface GivenAnswer {
  readonly operation: string;
  readonly status: number;
}

/** How often each operation answered with each status, as lines of text: whether the requests reach what they should. */
export function answerTable(answers: readonly GivenAnswer[]): string {
  const operations = Object.entries(Object.groupBy(answers, answer => answer.operation));
  const width = Math.max(...operations.map(([name]) => name.length));
  const lines = operations.map(([name, given]) => {
    const statuses = Object.entries(Object.groupBy(given!, answer => answer.status));
    const counts = statuses.map(([status, list]) => `${status}: ${list!.length}`);
    return `${name.padEnd(width)}  ${counts.join('  ')}`;
  });
  return lines.toSorted().join('\n');
}

/** The share of 2xx among the answers of an operation; 1 where it was not asked at all. */
export function successShare(answers: readonly GivenAnswer[], operation: string): number {
  const given = answers.filter(answer => answer.operation === operation);
  const successes = given.filter(({ status }) => status >= 200 && status < 300);
  return given.length === 0 ? 1 : successes.length / given.length;
}
