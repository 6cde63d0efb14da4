import Type from 'typebox';
import { CreatedListQuery, none, WriteQuery } from '../../operation.ts';
import {
  ApiKeyCreate,
  ApiKeyReplacement,
  ApiKeyUsage,
  CreatedApiKey,
} from '../../resources/platform/api-key.ts';
import {
  ApiKeyHealth,
  ApiKeyUpdate,
  PortalApiKey,
  portalApiKeyFields,
  PortalApiKeyList,
} from '../../resources/portal/api-key.ts';
import { KeyId } from '../../schema.ts';
import type { PortalOperation } from './operation.ts';

const reading = { tag: 'API keys', method: 'GET', authenticated: true } as const;
const writing = { tag: 'API keys', method: 'POST', authenticated: true, query: WriteQuery } as const;

const path = '/api-keys';
const ofKey = Type.Object({ id: KeyId('Identifier of the API key') }, { additionalProperties: false });

export const portalApiKeyOperations = {
  listPortalApiKeys: {
    ...reading,
    path,
    summary: 'List API keys',
    description:
      'Lists the API keys that the user may look after, without their secrets; deleted ones too. Of HR alone these are the keys that see nothing but the tenants that this is for.',
    parameters: none,
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of API keys', body: PortalApiKeyList },
    fields: portalApiKeyFields,
    errors: [],
  },
  createPortalApiKey: {
    ...writing,
    path,
    summary: 'Create an API key',
    description:
      'Makes an API key, which is shown in this answer only. It sees no more than the user. Takes a fresh sign-in. After a time-out delete the key that may be there, which nobody has.',
    parameters: none,
    needsFreshSignIn: true,
    body: ApiKeyCreate,
    success: { status: 201, description: 'The key was made', body: CreatedApiKey },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
  },
  getPortalApiKey: {
    ...reading,
    path: `${path}/{id}`,
    summary: 'Get an API key',
    description: 'Reads one API key, without its secret.',
    parameters: ofKey,
    query: none,
    success: { status: 200, description: 'The API key', body: PortalApiKey },
    errors: [],
  },
  updatePortalApiKey: {
    ...writing,
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Update an API key',
    description:
      'Says after which pause the system that uses the key counts as silent. Name and scope of a key are replaced, not changed.',
    parameters: ofKey,
    body: ApiKeyUpdate,
    success: { status: 200, description: 'The API key after that', body: PortalApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  deletePortalApiKey: {
    ...writing,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an API key',
    description:
      'Retires an API key for ever. It is refused everywhere within a second, and stays in the list.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key, which is deleted', body: PortalApiKey },
    errors: [],
  },
  deactivatePortalApiKey: {
    ...writing,
    path: `${path}/{id}/deactivation`,
    summary: 'Deactivate an API key',
    description:
      'Stops an API key from working. It is refused everywhere within a second, and can be reactivated.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key, which is inactive', body: PortalApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  reactivatePortalApiKey: {
    ...writing,
    path: `${path}/{id}/reactivation`,
    summary: 'Reactivate an API key',
    description: 'Lets a deactivated API key work again. One that has expired stays expired.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key after that', body: PortalApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  replacePortalApiKey: {
    ...writing,
    path: `${path}/{id}/replacement`,
    summary: 'Replace an API key',
    description:
      'Makes an API key that sees the same as an active one and has its quota; the old one stops working after a time of grace. Takes a fresh sign-in.',
    parameters: ofKey,
    needsFreshSignIn: true,
    body: ApiKeyReplacement,
    success: { status: 201, description: 'The new key', body: CreatedApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  getPortalApiKeyUsage: {
    ...reading,
    path: `${path}/{id}/usage`,
    summary: 'Get the usage of an API key',
    description: 'Counts the requests of an API key by the day and the operation.',
    parameters: ofKey,
    query: none,
    success: { status: 200, description: 'How much the key is used', body: ApiKeyUsage },
    errors: [],
  },
  getPortalApiKeyHealth: {
    ...reading,
    path: `${path}/{id}/health`,
    summary: 'Get the health of an API key',
    description:
      'Tells whether the system that uses an API key still lives: when it was last heard of and should be, how far it has read, and its last errors.',
    parameters: ofKey,
    query: none,
    success: { status: 200, description: 'The health of the key', body: ApiKeyHealth },
    errors: [],
  },
} as const satisfies Record<string, PortalOperation>;
