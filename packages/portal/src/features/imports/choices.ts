import type { EmployeeImportDetails, EmployeeImportMapping as Mapping } from '@kontor/contract';

/** The field that a column fills; empty: it is not imported. */
export interface Choice {
  readonly field: Mapping['columns'][number]['field'] | '';
  readonly emptyClears: boolean;
}

/** The choices of a user, by column and name: another header keeps those of columns that have the same name in it. */
export type Chosen = ReadonlyMap<string, Choice>;

type Proposal = Pick<EmployeeImportDetails, 'columns' | 'mapping'>;

const none: Choice = { field: '', emptyClears: false };

const keyOf = ({ columns }: Proposal, index: number) => `${index} ${columns[index]!.name}`;

/** The choices for the columns: those of the user, then the proposed ones. A field has one column. */
export function choicesFor(proposal: Proposal, chosen: Chosen): Choice[] {
  const own = proposal.columns.map((_, index) => chosen.get(keyOf(proposal, index)));
  const used = new Set(own.map(choice => choice?.field));
  return own.map((choice, index) => {
    if (choice) return choice;
    const proposed = proposedChoice(proposal.mapping, index);
    return used.has(proposed.field) ? none : proposed;
  });
}

/** Adds a choice. Another column with this field loses it. */
export function choose(chosen: Chosen, proposal: Proposal, index: number, choice: Choice): Chosen {
  const others = Array.from(
    chosen,
    ([key, other]) => [key, other.field === choice.field ? none : other] as const,
  );
  return new Map([...others, [keyOf(proposal, index), choice]]);
}

/** Whether a field was proposed by the likeness of names, and the user has not chosen it. */
export function isGuess(proposal: Proposal, chosen: Chosen, index: number): boolean {
  return proposal.columns[index]!.isExact === false && !chosen.has(keyOf(proposal, index));
}

/** Whether the choices are those of the mapping. */
export function isUnchanged(mapping: Mapping, choices: readonly Choice[]): boolean {
  return choices.every(({ field, emptyClears }, index) => {
    const before = proposedChoice(mapping, index);
    return field === before.field && emptyClears === before.emptyClears;
  });
}

/** The mapping that is sent. The key is never cleared. */
export function mappingOf(
  choices: readonly Choice[],
  { headerRow, matchBy }: Pick<Mapping, 'headerRow' | 'matchBy'>,
): Mapping {
  const columns = choices.flatMap(({ field, emptyClears }, column) =>
    field === '' ? [] : [{ column, field, emptyClears: emptyClears && field !== matchBy }],
  );
  return { headerRow, matchBy, columns };
}

function proposedChoice({ columns }: Mapping, index: number): Choice {
  const found = columns.find(({ column }) => column === index);
  return found ? { field: found.field, emptyClears: found.emptyClears } : none;
}
