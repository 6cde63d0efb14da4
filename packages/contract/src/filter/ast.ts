export type ComparisonOperator =
  '=' | '!=' | '>' | '>=' | '<' | '<=' | 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH';
export type Operator = ComparisonOperator | 'IN' | 'IS NULL' | 'IS NOT NULL';

/** `field operator value`. The value is the literal without quotes and escapes. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly field: string;
  readonly operator: ComparisonOperator;
  readonly value: string;
  /** Whether text is also compared without accents, as the portal searches. A filter cannot say so. */
  readonly ignoresAccents?: true;
}

/** `field IN (value, …)`, with at least one value. */
export interface Membership {
  readonly kind: 'in';
  readonly field: string;
  readonly values: readonly string[];
}

/** `field IS NULL` or `field IS NOT NULL`. */
export interface NullTest {
  readonly kind: 'null';
  readonly field: string;
  readonly negated: boolean;
}

/** Two or more terms with the same connective. Junctions nest where the text has parentheses or precedence requires it. */
export interface Junction {
  readonly kind: 'and' | 'or';
  readonly terms: readonly Filter[];
}

export type Filter = Comparison | Membership | NullTest | Junction;
