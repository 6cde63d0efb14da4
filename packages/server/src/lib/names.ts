import { ApiError } from '@kontor/contract';

const nameMaximum = 200;

/** Invisible characters: control characters, line separators, and characters that change the direction of text. */
export const invisibleCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Checks any name but those of divisions in `/v1`. @throws ApiError 400 VALIDATION_ERROR naming the field and the character. */
export function checkName(field: string, name: string): void {
  if (name.trim() === '' || [...name].length > nameMaximum)
    throw invalid(`${field} must have 1 to ${nameMaximum} characters, and not only spaces`);
  if (!name.isWellFormed()) throw invalid(`${field} must be valid Unicode; it has half a surrogate pair`);
  const at = name.search(invisibleCharacters);
  if (at === -1) return;
  const code = name.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
  throw invalid(
    `${field} must not contain control characters, line breaks or characters that change the direction of text; remove U+${code}`,
  );
}

function invalid(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { status: 400 });
}
