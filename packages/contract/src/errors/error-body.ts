import Type, { type Static } from 'typebox';
import type { ErrorCode, RejectedField } from './errors.ts';
import { Integer, NamedObject, Text, Values } from '../schema.ts';

/** UUID of version 4 or 7 in either letter case (specification.md 2.2). */
export const requestIdPattern =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';

export const requestIdExample = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';

/** Further properties of errors in an API with `namesFields`. */
const rejectedField = {
  field: Type.Optional(
    Text('The field of the body that was rejected; absent: the message alone says what is wrong', 'password'),
  ),
  minimum: Type.Optional(Integer('The minimum of the field, such as the characters of a password', 14)),
  position: Type.Optional(Integer('Where the text of the field is wrong, in Unicode code points from 1', 7)),
};

/** The body of every error (specification.md 2.6) of an API with these codes. It is not named Error, which is a class in most languages. */
export function errorBodyOf(codes: readonly ErrorCode[], namesFields = false) {
  return NamedObject('ErrorEnvelope', 'The envelope of every error', {
    error: NamedObject('ErrorDetail', 'What went wrong', {
      code: Values(
        'ErrorCode',
        [...codes],
        'Stable, case-sensitive code; `docs/errors.md` explains each one',
      ),
      message: Type.String({
        minLength: 1,
        description: 'What to do, in words; programs must not parse it',
      }),
      requestId: Type.String({
        pattern: requestIdPattern,
        description: 'The request identifier, the same as in the header `X-Request-ID`',
      }),
      ...((namesFields ? rejectedField : {}) as object),
    }),
  });
}
export type ErrorBody = Static<ReturnType<typeof errorBodyOf>> & { readonly error: Partial<RejectedField> };
