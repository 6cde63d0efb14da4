import Type from 'typebox';
import { CreatedListQuery, none, WriteQuery } from '../../operation.ts';
import {
  ApiKey,
  ApiKeyCreate,
  apiKeyFields,
  ApiKeyList,
  ApiKeyReplacement,
  ApiKeyUsage,
  CreatedApiKey,
} from '../../resources/platform/api-key.ts';
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
    success: { status: 200, description: 'A page of API keys', body: ApiKeyList },
    fields: apiKeyFields,
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
    success: { status: 200, description: 'The API key', body: ApiKey },
    errors: [],
  },
  deletePortalApiKey: {
    ...writing,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an API key',
    description:
      'Retires an API key for ever. It is refused everywhere within a second, and stays in the list.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key, which is deleted', body: ApiKey },
    errors: [],
  },
  deactivatePortalApiKey: {
    ...writing,
    path: `${path}/{id}/deactivation`,
    summary: 'Deactivate an API key',
    description:
      'Stops an API key from working. It is refused everywhere within a second, and can be reactivated.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key, which is inactive', body: ApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  reactivatePortalApiKey: {
    ...writing,
    path: `${path}/{id}/reactivation`,
    summary: 'Reactivate an API key',
    description: 'Lets a deactivated API key work again. One that has expired stays expired.',
    parameters: ofKey,
    success: { status: 200, description: 'The API key after that', body: ApiKey },
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
    description: 'Counts the requests of an API key by the day.',
    parameters: ofKey,
    query: none,
    success: { status: 200, description: 'How much the key is used', body: ApiKeyUsage },
    errors: [],
  },
} as const satisfies Record<string, PortalOperation>;
