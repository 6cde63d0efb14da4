import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { orderAttachmentKinds } from '@kontor/contract';
import { attachToOrder, type AttachmentKind } from '../features/orders/attachments.ts';
import { anyOrder } from '../features/orders/store.ts';
import { cleanFileName } from '../files/file-name.ts';
import { openFiles } from '../files/open.ts';
import { sniffMediaType } from '../files/sniff.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from './command.ts';

/** Most bytes of a document of an order. */
const sizeMaximum = 64 * 1024 * 1024;

export const orderAttach = defineCommand({
  name: 'order attach',
  summary: 'Attach a document to an order',
  arguments: [
    { name: '<id>', description: 'The order', parse: parseId },
    { name: '<file>', description: 'A PDF, PNG, JPEG or WebP file' },
  ],
  options: [
    {
      flags: '--kind <kind>',
      description: `What it is: ${orderAttachmentKinds.join(', ')} (default other)`,
      parse: parseKind,
    },
  ],
  settings: [...databaseSettings, 'filesUrl', 'fileTimeout'],
  async run(context, { arguments: [id, file], options }) {
    const kind = (options.kind as AttachmentKind | undefined) ?? 'other';
    const document = await readDocument(file as string);
    const { writes: db } = await context.openDatabase();
    const found = await anyOrder(db, id as string);
    if (found === null) throw new CommandError(`there is no order ${id as string}`);
    const { store, close } = await openFiles(context.config, db);
    try {
      const place = { organizationId: found.organizationId, orderId: id as string };
      const attachment = await attachToOrder({ db, files: store }, place, { kind, ...document });
      return { json: { id: attachment.id }, text: `Attached ${attachment.fileName} as ${attachment.id}` };
    } finally {
      close();
    }
  },
});

async function readDocument(file: string): Promise<{ fileName: string; mediaType: string; bytes: Buffer }> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (found.size > sizeMaximum) throw new CommandError(`${file} is larger than 64 MiB`);
  const bytes = await readFile(file);
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null) throw new CommandError(`${file} is no PDF, PNG, JPEG or WebP file`);
  return { fileName: cleanFileName(path.basename(file)), mediaType, bytes };
}

function parseKind(text: string): string {
  if (!(orderAttachmentKinds as readonly string[]).includes(text))
    throw new CommandError(`expected one of ${orderAttachmentKinds.join(', ')}`);
  return text;
}
