import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Instant, KeyId, nullable, orNull } from '../../schema.ts';
import { requestIdPattern } from '../error.ts';
import { listOf } from '../list.ts';
import { ApiKey } from '../platform/api-key.ts';

/** Bounds of an interval that a user sets, in seconds: five minutes, and a leap year. */
const intervalBounds = { minimum: 300, maximum: 366 * 86_400 };

const seconds = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const PortalApiKey = Type.Object(
  {
    ...ApiKey.properties,
    lastFour: text('The last four characters of its text', '0Xyz'),
    createdBy: nullable(
      text(
        'Name of the user or of the platform token that created it; `operator` for a command; null when the user was deleted',
        'Petra Lang',
      ),
    ),
    lastSuccessAt: nullable(
      Instant('When a request with it last succeeded, up to some seconds ago; null: never'),
    ),
    noRecentActivitySince: nullable(
      Instant('Since when no request has succeeded, where its expected interval is over; else null'),
    ),
    requests: count('Requests of the last 30 days, those that did not succeed among them', 43_200),
    rejections: count('Those of them that did not succeed', 3),
    requestsByDay: Type.Array(count('Requests of a day', 1440), {
      description: 'Requests of each of the last 30 days in UTC, today last',
    }),
    rejectionsByDay: Type.Array(count('Requests of a day that did not succeed', 0), {
      description: 'Those of them that did not succeed, in the same order',
    }),
  },
  {
    $id: 'PortalApiKey',
    additionalProperties: false,
    description: 'A key of the public API, without its secret, with how it is used',
  },
);
export type PortalApiKey = Static<typeof PortalApiKey>;

export const PortalApiKeyList = listOf(PortalApiKey, 'PortalApiKeyList');

export const portalApiKeyFields = fieldsOf(PortalApiKey);

export const ApiKeyUpdate = Type.Object(
  {
    expectedIntervalSeconds: orNull(
      Type.Integer({ ...intervalBounds, examples: [86_400] }),
      'The interval within which a request is expected to succeed, in seconds; null: it is computed from the usage',
    ),
  },
  { $id: 'ApiKeyUpdate', additionalProperties: false, description: 'When activity of a key is expected' },
);
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

const ApiKeyPoll = Type.Object(
  {
    operation: text('Operation that reads the collection', 'listEmployees'),
    askedAt: Instant('When it was last asked for what has changed'),
    readTo: Instant('Instant of the clock of the organization up to which all is read'),
    lagSeconds: seconds('How far that is behind the clock; 0: nothing has changed since', 0),
  },
  {
    $id: 'ApiKeyPoll',
    additionalProperties: false,
    description: 'How far a system that polls has read a collection',
  },
);

const ApiKeyError = Type.Object(
  {
    at: Instant('When it was answered'),
    operation: text('Operation that was asked for', 'listEmployees'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status', examples: [400] }),
    code: text('Code of the error', 'UNSUPPORTED_SORT_FIELD'),
    message: text(
      'What the answer said, without anything that came with the request',
      'sort does not take …; use id, email',
    ),
    requestId: Type.String({ pattern: requestIdPattern, description: 'Request that was answered so' }),
  },
  { $id: 'ApiKeyError', additionalProperties: false, description: 'An answer that was no success' },
);

export const ApiKeyHealth = Type.Object(
  {
    lastUsedAt: nullable(Instant('When the key was last used, up to some seconds ago; null: never')),
    lastSuccessAt: nullable(Instant('When a request with it last succeeded; null: never')),
    expectedIntervalSeconds: nullable(
      Type.Integer({
        ...intervalBounds,
        description: 'The interval that a user has set; null: none',
        examples: [86_400],
      }),
    ),
    computedIntervalSeconds: nullable(
      seconds(
        'The interval that follows from four weeks of usage, which counts where none is set; null: there is too little',
        900,
      ),
    ),
    overdueFrom: nullable(
      Instant('When it has no recent activity, unless a request succeeds before; null: it is not watched'),
    ),
    noRecentActivitySince: nullable(
      Instant('Since when no request has succeeded, where its expected interval is over; else null'),
    ),
    replacedBy: nullable(KeyId('The key that was made to replace it; null: none')),
    replaces: nullable(KeyId('The key that it was made to replace; null: none')),
    clockAt: Instant('Instant of the last change in the organization, by its clock'),
    polls: Type.Array(ApiKeyPoll, { description: 'The collections that it polls; none: it does not poll' }),
    errors: Type.Array(ApiKeyError, {
      description: 'The last answers that were no success, newest first: 20 at most, of 30 days',
    }),
  },
  {
    $id: 'ApiKeyHealth',
    additionalProperties: false,
    description: 'Whether the system that uses a key still lives, and what it suffers from',
  },
);
export type ApiKeyHealth = Static<typeof ApiKeyHealth>;
