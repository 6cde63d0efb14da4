import type { Division, Employee, Order, PayrollExportDocument } from '@kontor/contract';
import { Compile } from 'typebox/compile';
import type { DocumentUpgrades, Resource, StoredField } from '../query/resource.ts';
import { emailKey } from '../lib/email-key.ts';
import { divisionResource } from '../features/divisions/mapping.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import { incidentResource } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import { payrollDocumentResource } from '../features/payroll-documents/mapping.ts';
import type { ResourceType as TypeName } from '../write/writes.ts';

type Data = Readonly<Record<string, unknown>>;

/** A file that a row references. `size` is in bytes; `sha256` is null if the row has none. */
export interface NamedFile {
  readonly id: string;
  readonly size: number;
  readonly sha256: string | null;
}

export interface ResourceType {
  readonly table: string;
  readonly name: TypeName;
  readonly columns: ReadonlyMap<string, StoredField>;
  readonly docVersion: number;
  readonly upgrades: DocumentUpgrades;
  readonly parse: (document: string) => Data;
  /** Whether a document conforms to the contract. */
  readonly fits: (document: unknown) => boolean;
  /** All columns that derive from a document, and the document as the contract serializes it. */
  readonly row: (document: Data) => Data;
  readonly document: (document: Data) => string;
  /** Whether its rows have the place of their employee. */
  readonly follows: boolean;
  /** The files that a row references. `hasDigests`: the column `attachment_sha256` stores their SHA-256. */
  readonly files: (document: Data, digests: Readonly<Record<string, string>>) => readonly NamedFile[];
  readonly hasDigests: boolean;
}

interface Options<Document> {
  /** Columns that hold a value in the form used for comparisons. */
  readonly columns?: (document: Document) => Data;
  readonly follows?: boolean;
  readonly files?: ResourceType['files'];
}

function resourceType<Document, Stored>(
  resource: Resource<Document, Stored>,
  { columns = () => ({}), follows = false, files }: Options<Document> = {},
): ResourceType {
  const validator = Compile(resource.schema);
  return {
    table: resource.table,
    name: resource.resourceType as TypeName,
    columns: resource.columns,
    docVersion: resource.docVersion,
    upgrades: resource.upgrades,
    parse: document => resource.parse(document) as Data,
    fits: document => validator.Check(document),
    row: data => ({ ...(resource.row(data as never) as Data), ...columns(data as Document) }),
    document: data => resource.document(data as Document),
    follows,
    files: files ?? (() => []),
    hasDigests: files === attachments,
  };
}

function attachments(document: Data, digests: Readonly<Record<string, string>>): NamedFile[] {
  const list = document['attachments'] as readonly { id: string; size: number }[];
  return list.map(({ id, size }) => ({ id, size, sha256: digests[id] ?? null }));
}

function payrollFile(document: Data): NamedFile[] {
  const { id, fileName, size, sha256 } = document as unknown as PayrollExportDocument;
  return fileName === null ? [] : [{ id, size: size ?? 0, sha256 }];
}

/** The resource types that are stored as documents, after those that they reference. */
export const resourceTypes: readonly ResourceType[] = [
  resourceType(divisionResource, {
    columns: ({ name, costCenter }: Division) => ({ name, cost_center: costCenter }),
  }),
  resourceType(employeeResource, {
    columns: ({ email, employeeNumber }: Employee) => ({
      email_key: emailKey(email),
      employee_number: employeeNumber,
    }),
  }),
  resourceType(orderResource, {
    columns: ({ orderNumber }: Order) => ({ order_number: orderNumber }),
    follows: true,
    files: attachments,
  }),
  resourceType(incidentResource, { follows: true, files: attachments }),
  resourceType(payrollDocumentResource, { files: payrollFile }),
];
