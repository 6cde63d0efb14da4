import type { ErrorCode } from '@kontor/contract';

/** Most characters of a message that are kept. */
const longest = 300;

/** Codes whose messages name a field that the client has made up, without quotes. */
const namingFields: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_FILTER_FIELD', 'UNSUPPORTED_SORT_FIELD']);

/**
 * What is kept of the message of a refusal: its words, without anything that came with the request, which could be personal data. A message
 * shows that between quotes, but for identifiers and names of fields.
 */
export function withoutValues({ code, message }: { code: ErrorCode; message: string }): string {
  const named = namingFields.has(code)
    ? message.replace(/does not take (the field )?[^;]*;/, 'does not take $1…;')
    : message;
  return named
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{24}\b/gi, '…')
    .slice(0, longest);
}
