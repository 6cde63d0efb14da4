// npm run messages: brings the German catalogue in line with the messages of the sources. A new message is empty until it is translated, which
// a test requires. An unused one is removed.
import { readFile, writeFile } from 'node:fs/promises';
import { germanCatalog, messagesOfSources } from './messages.ts';

const messages = await messagesOfSources();
const before = JSON.parse(await readFile(germanCatalog, 'utf8')) as Record<string, string>;
const after = messages.map(message => [message, before[message] ?? '']);
await writeFile(germanCatalog, `${JSON.stringify(Object.fromEntries(after), null, 2)}\n`);
const lacking = after.filter(([, translation]) => translation === '').map(([message]) => message);
console.log(`${messages.length} messages`, ...(lacking.length > 0 ? ['without German:', lacking] : []));
