import { type Fragment, raw, sql } from './sql.ts';

/** The PostgreSQL types of values. */
type SqlType = 'text' | 'boolean' | 'date' | 'timestamptz' | 'float8' | 'numeric' | 'bigint';

/** Writes a value of a type into a statement. */
export type WriteValue = (value: unknown, type: SqlType | `${SqlType}[]`) => Fragment;

/** A value as a parameter, by which the statement may be planned. */
export const plain: WriteValue = (value, type) => sql`${value}::${raw(type)}`;

/**
 * A value in a sub-select, where the planner does not see it: for a prepared statement that has one good plan whatever the
 * values are. Else PostgreSQL plans it anew each time, as long as a plan for the values at hand seems a little cheaper than
 * the general one. The outer cast lets an array stand in `ANY`, which would read the sub-select as a list of rows. Never of an
 * organization: where tables are distributed, its value must be seen to know the node.
 */
export const hidden: WriteValue = (value, type) => sql`(SELECT ${value}::${raw(type)})::${raw(type)}`;
