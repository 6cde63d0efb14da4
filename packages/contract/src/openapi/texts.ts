import type { RejectionKind } from './rejections.ts';

export const dryRunDescription =
  'Dry run: what would be created, with the identifier `000000000000000000000000`; nothing is stored';

/** For each error status: the name of the shared response, and the start of its description. */
export const statusTexts: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The request breaks the contract' },
  401: { name: 'Unauthorized', description: 'The API key is missing or not valid' },
  403: { name: 'Forbidden', description: 'The selected tenant is not in the scope of the key' },
  404: { name: 'NotFound', description: 'The target does not exist or is not visible to the key' },
  406: { name: 'NotAcceptable', description: 'No media type of this operation is acceptable' },
  409: { name: 'Conflict', description: 'The current state conflicts with the request' },
  413: { name: 'PayloadTooLarge', description: 'The request body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The media type of the request is not supported' },
  422: {
    name: 'UnprocessableContent',
    description: 'The request fits the contract, but a value or a referenced resource does not',
  },
  429: { name: 'TooManyRequests', description: 'The quota of the key is used up' },
  500: { name: 'InternalServerError', description: 'Unexpected failure' },
  502: { name: 'BadGateway', description: 'The file store failed' },
  503: { name: 'ServiceUnavailable', description: 'The service is temporarily unavailable' },
  504: { name: 'GatewayTimeout', description: 'The file store was too slow' },
};

/** The kinds of operations in names of shared responses, as a prefix if kinds differ. */
export const kindNames: Record<RejectionKind, string> = {
  list: 'List',
  sublist: 'Sublist',
  search: 'Search',
  export: 'Export',
  subexport: 'Subexport',
  'search-export': 'SearchExport',
  read: 'Read',
  download: 'Download',
  write: 'Write',
  upload: 'Upload',
};
