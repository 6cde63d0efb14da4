/** Values of a statement under construction: `add` keeps the value and answers its placeholder. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The placeholder of the value, cast to a PostgreSQL type where the context does not give it. */
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return type === undefined ? `$${this.values.length}` : `$${this.values.length}::${type}`;
  }
}
