import { useLingui } from '@lingui/react/macro';
import { type Field, type Row, useFieldWords } from './words.tsx';

type Problem = Row['problems'][number];

/** The name of a column, or of the field that no column fills; null for the row as a whole. */
export function usePlaceWords(): (problem: Problem) => string | null {
  const words = useFieldWords();
  return ({ column, field }) => column || (field && words[field]);
}

/** The reason of a problem. A notice and a question begin with words of their own. */
function useReasonWords(): (problem: Problem) => string {
  const { t } = useLingui();
  return ({ code, field, limit, found, line, position }) => {
    switch (code) {
      case 'surplus_cell':
        return t`The row has more values than the file has columns. Put a value that contains the separator in quotation marks.`;
      case 'quote':
        return t`A quotation mark is in the middle of a value (line ${line}, character ${position}). Put the value in quotation marks and double the mark.`;
      case 'invalid_byte':
        return t`Line ${line}, character ${position} has the byte ${found}, which does not fit the rest of the file. Type the character again, and save the file as CSV UTF-8.`;
      case 'nul':
        return t`The row contains a character that cannot be stored (NUL). Remove it.`;
      case 'missing':
        return t`A value is missing.`;
      case 'invalid':
        return field === 'email' || field === 'privateEmail'
          ? t`Enter an email address.`
          : t`This value is not possible here.`;
      case 'too_long':
        return t`At most ${limit} characters are possible.`;
      case 'not_boolean':
        return t`Enter yes or no.`;
      case 'not_country':
        return t`This is not a country. Enter its name, or a code such as DE.`;
      case 'ambiguous_country':
        return t`Several countries have this name. Enter a code such as DE.`;
      case 'short_postal_code':
        return t`A German postcode has five digits.`;
      case 'rounded_number':
        return t`A spreadsheet shortened this number, and its digits are lost.`;
      case 'hidden_value':
        return t`The column was too narrow, so the file contains these signs in place of the value.`;
      case 'formula_error':
        return t`The file contains the error of a formula in place of a value.`;
      case 'formula':
        return t`The file contains a formula in place of its value.`;
      case 'garbled_text':
        return t`A program damaged the special characters of this text.`;
      case 'repeated':
        return t`Row ${limit} has the same value. Keep one of the two.`;
      case 'taken':
        return t`Another person has this value.`;
      case 'not_editable':
        return t`The person has another work email.`;
      case 'changed_email':
        return t`Without “Import”, the work email stays as it is, and other changes of the row are imported.`;
      case 'number_reused':
        return t`The person with this number has another work email and another name.`;
      case 'unknown_division':
        return t`The company has no such division. Enter the whole path, such as Sales / North.`;
      case 'ambiguous_division':
        return t`Several divisions can be meant. Enter the whole path, or the ID of the division.`;
      case 'proposed_division':
        return t`The company has no division with this path.`;
    }
  };
}

/** Values that a program damaged. Their reason does not say what to do. */
const damages: readonly Problem['code'][] = [
  'rounded_number',
  'hidden_value',
  'formula_error',
  'formula',
  'garbled_text',
];

/** Why a row or its cell cannot be imported, and what to do about it. */
export function useProblemWords(): (problem: Problem) => string {
  const { t } = useLingui();
  const reasonWords = useReasonWords();
  return problem => {
    const { code, found, suggestion } = problem;
    return [
      found !== null && code !== 'invalid_byte' && t`“${found}”:`,
      reasonWords(problem),
      suggestion !== null && t`Probably “${suggestion}”.`,
      suggestion === null && damages.includes(code) && t`Enter the value in the file.`,
    ]
      .filter(part => part !== false)
      .join(' ');
  };
}

/** The question to a user: the found value, and the suggested one. */
export function useQuestionWords(): (
  problem: Problem,
  row: Pick<Row, 'name' | 'changes' | 'problems'>,
) => string {
  const { t } = useLingui();
  const reasonWords = useReasonWords();
  return (problem, row) => {
    const { code, found, suggestion } = problem;
    if (code === 'number_reused') {
      const { stored, given } = namesOf(row);
      return t`Number ${found} belongs to ${stored}, but the file says ${given}. Is it the same person?`;
    }
    if (code === 'changed_email') {
      const question = t`${suggestion} → ${found}. Change the work email?`;
      return row.problems.length > 1 ? question : `${question} ${reasonWords(problem)}`;
    }
    const question =
      code === 'proposed_division'
        ? t`“${found}” – did you mean the division “${suggestion}”?`
        : t`“${found}” – did you mean “${suggestion}”?`;
    return `${question} ${reasonWords(problem)}`;
  };
}

/** The stored person with a number, and the one of the file. */
function namesOf({ name, changes, problems }: Pick<Row, 'name' | 'changes' | 'problems'>) {
  const email = problems.find(({ code }) => code === 'changed_email');
  const nameFields: readonly Field[] = ['firstName', 'lastName'];
  const names = nameFields.map(field => changes.find(change => change.field === field)?.after);
  const person = (name: string | null, email: string | null = null) =>
    [name, name && email ? `(${email})` : email].filter(Boolean).join(' ');
  return {
    stored: person(name, email?.suggestion),
    given: person(names.filter(Boolean).join(' '), email?.found),
  };
}

/** A field that is left out, while the others are imported. */
export function useNoticeWords(): (notice: Problem) => string {
  const { t } = useLingui();
  const reasonWords = useReasonWords();
  return notice => {
    const { code, found, suggestion } = notice;
    if (code !== 'not_editable') return `${t`“${found}” is not imported.`} ${reasonWords(notice)}`;
    return t`“${found}” is not imported. The work email stays ${suggestion}.`;
  };
}
