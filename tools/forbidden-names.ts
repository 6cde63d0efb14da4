// npm run check:names: counts the words of the glossary (words/glossary.ts) in names, and what is always wrong in prose. Fails
// where there is one. Prints five places of each word, and all with --all.
import { findAllForbidden } from './words/files.ts';

const showsAll = process.argv.includes('--all');
const byWord = Map.groupBy(await findAllForbidden(), ({ word }) => word);
let sum = 0;
for (const [word, findings] of [...byWord].sort((one, other) => other[1].length - one[1].length)) {
  sum += findings.length;
  console.log(`${String(findings.length).padStart(5)}  ${word} (instead: ${findings[0]!.instead})`);
  for (const { file, line, text } of showsAll ? findings : findings.slice(0, 5))
    console.log(`         ${file}:${line}: ${text}`);
}
console.log(`${sum} forbidden names`);
if (sum > 0) process.exitCode = 1;
