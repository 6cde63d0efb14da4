import { ApiError } from '@kontor/contract';

const nameMaximum = 200;

/**
 * Checks the name of an organization, tenant or division: 1 to 200 characters, no control characters or lone surrogates.
 * @throws ApiError 400 VALIDATION_ERROR naming the field.
 */
export function checkName(field: string, name: string): void {
  if (name.trim() === '' || [...name].length > nameMaximum || !name.isWellFormed() || /\p{Cc}/u.test(name))
    throw new ApiError(
      'VALIDATION_ERROR',
      `${field} must have 1 to ${nameMaximum} characters, and none of them a control character`,
      { status: 400 },
    );
}
