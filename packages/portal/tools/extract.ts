// npm run messages: brings the catalogues in line with the messages of the sources. What is new waits in German for its translation, which a
// test insists on; what is not used any more goes.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messagesOfSources, sources } from './messages.ts';

const messages = await messagesOfSources();
for (const language of ['de', 'en']) {
  const file = path.join(sources, 'locales', `${language}.json`);
  const before = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  const after = messages.map(message => [message, before[message] ?? (language === 'en' ? message : '')]);
  await writeFile(file, `${JSON.stringify(Object.fromEntries(after), null, 2)}\n`);
  const lacking = after.filter(([, translation]) => translation === '').map(([message]) => message);
  console.log(
    `${language}: ${messages.length} messages`,
    ...(lacking.length > 0 ? ['without', lacking] : []),
  );
}
