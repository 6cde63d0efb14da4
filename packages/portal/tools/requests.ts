import {
  apiKeyPermissions,
  apis,
  keyMayCall,
  keyPermissionOf,
  openApiDocument,
  type Operation,
} from '@kontor/contract';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { PublicRequest } from '../src/api/requests.ts';

/** The words in place of identifiers. */
const placeholders: Readonly<Record<PublicRequest['resource'], string>> = {
  employees: 'EMPLOYEE_ID',
  divisions: 'DIVISION_ID',
  orders: 'ORDER_ID',
  incidents: 'INCIDENT_ID',
  'payroll-export-documents': 'DOCUMENT_ID',
};

/** The properties that place something new in a division. */
const placing = new Set(['divisionId', 'parentId']);

interface DocumentedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

/** The example body of the document. Its identifiers exist nowhere: optional ones are left out. */
function bodyOf({ method, path, body }: Operation) {
  const item = openApiDocument(apis.public).paths[path] as Readonly<Record<string, DocumentedOperation>>;
  const example = item[method.toLowerCase()]?.requestBody?.content['application/json']?.example ?? {};
  const properties = Object.entries(example).flatMap(([name, value]) => {
    if (!name.endsWith('Id')) return [[name, value]];
    return body!.required?.includes(name) ? [[name, name.replace(/Id$/, '_ID').toUpperCase()]] : [];
  });
  const placedBy = Object.keys(example).find(name => placing.has(name));
  return { body: Object.fromEntries(properties) as Record<string, unknown>, ...(placedBy && { placedBy }) };
}

function requestOf([operation, declared]: [string, Operation]): PublicRequest {
  const { method, path, summary, upload, body, success, fields } = declared;
  const resource = keyPermissionOf(declared).split(':')[0] as PublicRequest['resource'];
  const filled = path.replace('{id}', placeholders[resource]).replace('{attachmentId}', 'ATTACHMENT_ID');
  const query = method !== 'GET' ? '?dryRun=true' : fields ? '?pageSize=10' : '';
  return {
    operation,
    words: generateMessageId(summary!),
    resource,
    allowedBy: apiKeyPermissions.filter(permission => keyMayCall([permission], declared)),
    method,
    path: filled + query,
    ...(body && bodyOf(declared)),
    ...(upload && { upload }),
    ...(success.body === 'file' && { answersWithFile: true }),
  };
}

const requests = Object.entries(apis.public.operations).filter(([, { authenticated }]) => authenticated);

/** The words of the requests, which are messages of the portal. */
export const requestWords: readonly string[] = requests.map(([, { summary }]) => summary!);

/** The address and key header of the public API, and an example of each request that takes a key, from the contract. */
export function publicApiOfContract() {
  const { prefix, credential } = apis.public;
  return { prefix, header: credential.header, requests: requests.map(requestOf) };
}
