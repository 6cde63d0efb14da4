/** Most words of a sentence. */
const maxWords = 30;

/** Finds the sentences of a file that are too long or begin wrongly, each with the reason. */
export function findSentenceProblems(file: string, text: string): Map<string, string> {
  const problems = new Map<string, string>();
  for (const sentence of proseOf(file, text).flatMap(sentencesIn)) {
    const words = sentence.split(' ').filter(word => /[A-Za-z]/.test(word)).length;
    if (words > maxWords) problems.set(sentence, `has ${words} words; at most ${maxWords}`);
    else if (/^(Of|Who|Whose|What)\b/.test(sentence) && !sentence.endsWith('?'))
      problems.set(sentence, 'begins with a word that asks; begin with the subject');
  }
  return problems;
}

/** The paragraphs of a document, or the comments of a source. */
function proseOf(file: string, text: string): string[] {
  if (file.endsWith('.md')) return paragraphsOf(text.replaceAll(/^```[^]*?^```$|^\s*\|.*$|^<!--.*$/gm, ''));
  const blocks = [...text.matchAll(/^[ \t]*\/\*\*?([^]*?)\*\//gm)].map(match =>
    match[1]!.replaceAll(/^\s*\*(?: \|.*)?/gm, ''),
  );
  const lines = [...text.matchAll(/(?:^[ \t]*(?:\/\/|--).*\n)+/gm)].map(match =>
    match[0].replaceAll(/^\s*(?:\/\/|--)/gm, ''),
  );
  return [...blocks, ...lines].flatMap(paragraphsOf);
}

/** Blocks between empty lines. Items of lists and tags of docstrings stand by themselves; tables are no prose. */
function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n|\n(?=\s*(?:[-*]\s|--\w|\d+\.\s|@\w+))/).filter(block => !/^\s*#/.test(block));
}

/** The sentences of a paragraph, without code and without the marks of a list. */
function sentencesIn(paragraph: string): string[] {
  const plain = paragraph
    .replace(/^\s*(?:[-*]|\d+\.|@\w+)\s+/, '')
    .replaceAll(/`[^`]*`/g, '`x`')
    // A list of codes or operations is read as one word.
    .replaceAll(/`x`(?:,? (?:and |or )?`x`)+/g, '`x`')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.split(/(?<=[.:;?!]) (?=[A-Z`[])/);
}
