import { oneOf } from '../../config.ts';
import { contractEndReasons, orderAttachmentKinds, type OrderWithRecord } from '@kontor/contract';
import { attachToOrder } from '../../features/orders/attachments.ts';
import { endContractOf } from '../../features/orders/contract-changes.ts';
import { orderJobs } from '../../features/orders/jobs.ts';
import { openFiles } from '../../files/open.ts';
import { sniffMediaType } from '../../files/sniff.ts';
import { findDocument } from '../organization/store.ts';
import {
  argument,
  CommandError,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
} from '../program/command.ts';
import { readWhole } from '../program/files.ts';
import { listTable, minute } from '../program/output.ts';
import { parseDay, parseId } from '../program/values.ts';

/** Max MiB of a document of an order. */
const maxMiB = 64;

export const orderAttach = defineDatabaseCommand({
  summary: 'Attach a document to an order',
  example: 'order attach 64b7e3f0a1c2d3e4f5a6b7c8 contract.pdf',
  input: {
    id: argument('<id>', 'The order', parseId),
    file: argument('<file>', 'A PDF, PNG, JPEG or WebP file'),
    kind: option(
      '--kind <kind>',
      `What it is: ${orderAttachmentKinds.join(', ')} (default other)`,
      oneOf(orderAttachmentKinds),
    ),
  },
  settings: fileSettings,
  check: ({ file }) => readDocument(file),
  async run({ db, config }, { id: orderId, kind = 'other' }, document) {
    const { organizationId } = await findDocument(db, { table: 'employee_order', noun: 'order' }, orderId);
    using files = await openFiles(config, db);
    const attachment = await attachToOrder(
      { db, files: files.store },
      { organizationId, orderId },
      { kind, ...document },
    );
    return { json: { id: attachment.id }, text: `Attached ${attachment.fileName} as ${attachment.id}` };
  },
});

async function readDocument(file: string) {
  const { fileName, bytes } = await readWhole(file, maxMiB);
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null) throw new CommandError(`${file} is not a PDF, PNG, JPEG or WebP file`);
  return { fileName, mediaType, bytes };
}

export const orderEnd = defineDatabaseCommand({
  summary: 'Record the early end of the contract of an order, change it, or withdraw it',
  example: 'order end 64b7e3f0a1c2d3e4f5a6b7c8 --last-day 2026-12-31 --reason returned',
  input: {
    id: argument('<id>', 'The order', parseId),
    lastDay: option('--last-day <date>', 'The last day of the contract', parseDay),
    reason: option(
      '--reason <reason>',
      `Why it ends: ${contractEndReasons.join(', ')}`,
      oneOf(contractEndReasons),
    ),
    comment: option('--comment <text>', 'A comment, which the public API never shows', String),
    withdraw: flag('--withdraw', 'Restore the agreed last day instead'),
  },
  check({ lastDay, reason, comment, withdraw }) {
    if (
      withdraw ? (lastDay ?? reason ?? comment) !== undefined : lastDay === undefined || reason === undefined
    )
      throw new CommandError('name --last-day and --reason, or --withdraw alone');
  },
  async run({ db }, { id: orderId, lastDay, reason, comment = null, withdraw }) {
    const { organizationId } = await findDocument(db, { table: 'employee_order', noun: 'order' }, orderId);
    const end = withdraw ? null : { lastDay: lastDay!, reason: reason!, comment };
    const json = JSON.parse(await endContractOf(db, { organizationId, orderId }, end)) as OrderWithRecord;
    const { orderNumber, contract } = json.order;
    return {
      json,
      text: `The contract of order ${orderNumber} ends on ${contract?.endDate ?? 'no agreed day'}`,
    };
  },
});

export const orderDue = defineDatabaseCommand({
  summary:
    'Count the orders that are due to expire, complete or be decided by a rule, and since when; scheduled jobs process them',
  example: 'order due',
  async run({ db }) {
    const due: { job: string; organizationId: string; count: number; since: string }[] = [];
    for (const { name, inspect } of orderJobs)
      for (const { organizationId, count, since } of await inspect(db))
        due.push({ job: name, organizationId, count, since: since.toISOString() });
    const text = listTable(due, 'No order is due', {
      job: ({ job }) => job,
      organization: ({ organizationId }) => organizationId,
      orders: ({ count }) => count,
      since: ({ since }) => minute(since),
    });
    return { json: { due }, text };
  },
});
