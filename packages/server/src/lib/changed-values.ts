import type { ValueChange } from '@kontor/contract';

type Text = string | null;

/** Values before and after a change, as texts. A value in another object has a path, such as `kinds.salaryConversion.wageType`. */
export type ChangedValues = Readonly<Record<string, readonly [before: Text, after: Text]>>;

/** The values of `after` that differ. Null is a value that is not set, and settings that did not exist yet. */
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

function textsIn(settings: object, above = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(settings) as [
    string,
    string | number | boolean | object | null | undefined,
  ][]) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) {
      if (value.length > 0) texts.set(above + name, value.join(', '));
    } else if (typeof value !== 'object') texts.set(above + name, String(value));
    else for (const [path, text] of textsIn(value, `${above}${name}.`)) texts.set(path, text);
  }
  return texts;
}
