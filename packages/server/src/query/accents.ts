import { foldAccents, searchForms } from '@kontor/contract';
import { type Fragment, join, raw, sql } from '../db/sql.ts';
import { escapeLike, isSearchable } from './search-text.ts';

/**
 * The text that the search forms of a word are looked for in: folded text without accents, and then with its umlauts spelled out. It is
 * the SQL of `searchForms`; a test compares both. Migration 0025 has it in an index. Text in ASCII, which is most, costs almost nothing.
 */
export function searchedForms(folded: string): Fragment {
  const spelled = `replace(replace(replace(replace(replace(${folded}, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')`;
  const plain = String.raw`regexp_replace(normalize(${folded} || ' ' || ${spelled}, NFD), '[\u0300-\u036F]', '', 'g')`;
  const letters = `replace(replace(replace(translate(${plain}, 'øłđðħŧ', 'olddht'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')`;
  return raw(`CASE WHEN octet_length(${folded}) = length(${folded}) THEN ${folded} ELSE ${letters} END`);
}

/** Whether a folded word is searched without accents. The index has only ASCII letters, and a word needs three of them. */
export function isLoose(word: string): boolean {
  const plain = foldAccents(word);
  return /^[\0-\x7f]*$/.test(plain) && (isSearchable(plain) || !isSearchable(word));
}

/** Whether a column contains a folded word, with or without its accents. */
export function containsLoosely(column: string, word: string): Fragment {
  return anyForm(searchedForms(column), word);
}

/** What holds whenever {@link containsLoosely} does for one of the columns, and is found by their index; null: it would not help. */
export function narrowLoosely(columns: readonly string[], word: string): Fragment | null {
  if (!isSearchable(foldAccents(word))) return null;
  const texts = columns.map(column => `coalesce(${column}, '')`).join(` || ' ' || `);
  return anyForm(searchedForms(`(${texts})`), word);
}

function anyForm(text: Fragment, word: string): Fragment {
  const forms = searchForms(word).map(form => sql`(${text}) LIKE ${`%${escapeLike(form)}%`}::text`);
  return sql`(${join(forms, ' OR ')})`;
}
