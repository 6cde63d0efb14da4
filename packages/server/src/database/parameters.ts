/** Values of a statement under construction: `add` keeps the value and answers its placeholder. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The placeholder of the value, cast to a PostgreSQL type where the context does not give it. */
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return type === undefined ? `$${this.values.length}` : `$${this.values.length}::${type}`;
  }
}

/**
 * Parameters whose values the planner does not see, for a prepared statement that has one good plan whatever they are: else
 * PostgreSQL plans it anew each time, as long as a plan for the values at hand seems a little cheaper than the general one.
 */
export class UnplannedParameters extends Parameters {
  override add(value: unknown, type = 'text'): string {
    return `(SELECT ${super.add(value, type)})`;
  }
}
