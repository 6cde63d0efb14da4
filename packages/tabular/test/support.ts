import type { Reading } from '../src/values/reading.ts';

/** A reading in one word: its value, `null`, or the code of its problem with the suggestion. */
export function shortOf<Value>({ value, problem }: Reading<Value>): Value | null | string {
  if (problem === null) return value;
  return problem.suggestion === null ? `? ${problem.code}` : `? ${problem.code} ${problem.suggestion}`;
}

/** The entries of a text between bars. */
export function list(text: string): string[] {
  return text.split('|').map(entry => entry.trim());
}
