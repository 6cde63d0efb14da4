import type { ValueChange } from '@kontor/contract';

type Text = string | null;

/** Values before and after a change, as texts. A value in another object has a path, such as `kinds.salaryConversion.wageType`. */
export type ChangedValues = Readonly<Record<string, readonly [before: Text, after: Text]>>;

/** The values of `after` that differ, in the order of `before`. Null is a value that is not set, and settings that did not exist yet. */
export function changedValues(before: object | null, after: object): ChangedValues {
  const old = textsIn(Object.fromEntries(Object.entries(before ?? {}).filter(([name]) => name in after)));
  const wanted = textsIn(after);
  const paths = new Set([...old.keys(), ...wanted.keys()]);
  const values = Array.from(
    paths,
    path => [path, [old.get(path) ?? null, wanted.get(path) ?? null]] as const,
  );
  return Object.fromEntries(values.filter(([, [one, other]]) => one !== other));
}

type Stored = string | boolean | null;

/** Stored values as texts, in their order. */
export function listValues(
  changes: Readonly<Record<string, readonly [before: Stored, after: Stored]>> | null,
): ValueChange[] {
  const text = (value: Stored) => (value === null ? null : String(value));
  return Object.entries(changes ?? {}).map(([field, [before, after]]) => ({
    field,
    before: text(before),
    after: text(after),
  }));
}

function textsIn(settings: object, above = ''): Map<string, Text> {
  const texts = new Map<string, Text>();
  for (const [name, value] of Object.entries(settings) as [
    string,
    string | number | boolean | object | null | undefined,
  ][]) {
    const path = above + name;
    if (value === null || value === undefined) texts.set(path, null);
    else if (Array.isArray(value)) texts.set(path, value.length === 0 ? null : value.join(', '));
    else if (typeof value !== 'object') texts.set(path, String(value));
    else for (const [inner, text] of textsIn(value, `${path}.`)) texts.set(inner, text);
  }
  return texts;
}
