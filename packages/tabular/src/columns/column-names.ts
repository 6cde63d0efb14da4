import { plainName } from '../plain-name.ts';

/** A field that a column can fill, with the names that columns have for it. */
export interface KnownField<Field extends string> {
  readonly field: Field;
  readonly names: readonly string[];
  /** Words that may accompany a name without changing what it means: `E-Mail geschäftlich`. */
  readonly qualifiers?: readonly string[];
  /** Names that mean this field only if another column fills the field `requires`: `Name` is the last name next to `Vorname`, otherwise the full name. */
  readonly dependentNames?: { readonly requires: Field; readonly names: readonly string[] };
}

/** A field for a column. It is a proposal, unless the field is known by exactly this name. */
export interface ColumnMatch<Field extends string> {
  readonly field: Field;
  readonly isExact: boolean;
}

// cspell:disable
/** Words that may accompany each name: which values a column accepts, that it is required, and that it describes the person of the row. */
const commonQualifiers =
  `ja nein j n yes no y x true false wahr falsch pflicht pflichtfeld required mandatory optional aktuell aktuelle
  aktueller current des der mitarbeiter mitarbeiters mitarbeiterin mitarbeitende mitarbeitenden employee employees worker workers s`.split(
    /\s+/,
  );
// cspell:enable

/** No name of a column is longer. */
const maxNameLength = 100;

/**
 * Finds the field of each column by its name, regardless of letter case and signs. A name with further words is proposed only if each of
 * these is a qualifier: so `Name des Vorgesetzten` is no last name.
 */
export class ColumnNames<Field extends string> {
  readonly #known: readonly KnownField<Field>[];
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #qualifiers: ReadonlyMap<Field, ReadonlySet<string>>;

  constructor(known: readonly KnownField<Field>[]) {
    this.#known = known;
    this.#fields = new Map(
      known.flatMap(({ field, names }) => [field, ...names].map(name => [plainName(name), field] as const)),
    );
    this.#qualifiers = new Map(
      known.map(({ field, qualifiers = [] }) => [
        field,
        new Set([...commonQualifiers, ...qualifiers].map(plainName)),
      ]),
    );
  }

  /** Proposes fields for the columns of a header, each field once. Exact names come first. */
  propose(header: readonly string[]): (ColumnMatch<Field> | null)[] {
    const matches = header.map((): ColumnMatch<Field> | null => null);
    const used = new Set<Field>();
    const assign = (find: (name: string) => Field | undefined, isExact: boolean) => {
      for (const [column, name] of header.entries()) {
        if (matches[column] !== null || name.length > maxNameLength) continue;
        const field = find(name);
        if (field === undefined || used.has(field)) continue;
        used.add(field);
        matches[column] = { field, isExact };
      }
    };
    assign(name => this.#fields.get(plainName(name)), true);
    assign(name => this.#findQualified(name), false);
    assign(name => this.#findDependent(plainName(name), used), true);
    return matches;
  }

  #findQualified(name: string): Field | undefined {
    const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).map(plainName);
    return this.#known.find(({ field }) => {
      const others = words.filter(word => !this.#qualifiers.get(field)!.has(word));
      return this.#fields.get(others.join('')) === field;
    })?.field;
  }

  #findDependent(plain: string, used: ReadonlySet<Field>): Field | undefined {
    return this.#known.find(
      ({ dependentNames }) =>
        dependentNames &&
        used.has(dependentNames.requires) &&
        dependentNames.names.some(name => plainName(name) === plain),
    )?.field;
  }
}
