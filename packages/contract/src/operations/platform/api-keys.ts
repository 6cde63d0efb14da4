import { bodyLimits } from '../../body-limit.ts';
import { CreatedListQuery, read, write } from '../../operation.ts';
import {
  ApiKey,
  ApiKeyCreate,
  apiKeyFields,
  ApiKeyList,
  ApiKeyReplacement,
  ApiKeyUsage,
  CreatedApiKey,
} from '../../resources/platform/api-key.ts';
import { inOrganization, keyOfOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/api-keys';

const reading = { ...read, tag: 'API keys', permission: 'api-keys:read' } as const;
const writing = { ...write, tag: 'API keys', permission: 'api-keys:write' } as const;

export const apiKeyOperations = {
  listApiKeys: {
    ...reading,
    path,
    summary: 'List API keys',
    description: 'Lists the API keys of an organization, without their secrets; deleted ones too.',
    parameters: inOrganization,
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of API keys', body: ApiKeyList },
    fields: apiKeyFields,
  },
  createApiKey: {
    ...writing,
    path,
    summary: 'Create an API key',
    description:
      'Creates an API key, which only this answer shows. Its scope is the whole organization, or the tenants and divisions of its grants. After a timeout, delete a key that may have been created.',
    parameters: inOrganization,
    body: ApiKeyCreate,
    bodyLimit: bodyLimits.list,
    success: { status: 201, description: 'The key was created', body: CreatedApiKey },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE'],
  },
  getApiKey: {
    ...reading,
    path: `${path}/{id}`,
    summary: 'Get an API key',
    description: 'Reads one API key, without its secret.',
    parameters: keyOfOrganization,
    success: { status: 200, description: 'The API key', body: ApiKey },
  },
  deleteApiKey: {
    ...writing,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an API key',
    description:
      'Deletes an API key for good. Every process rejects it within a second. It stays in the list.',
    parameters: keyOfOrganization,
    success: { status: 200, description: 'The API key, which is deleted', body: ApiKey },
  },
  deactivateApiKey: {
    ...writing,
    path: `${path}/{id}/deactivation`,
    summary: 'Deactivate an API key',
    description: 'Deactivates an API key. Every process rejects it within a second. It can be reactivated.',
    parameters: keyOfOrganization,
    success: { status: 200, description: 'The API key, which is inactive', body: ApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  reactivateApiKey: {
    ...writing,
    path: `${path}/{id}/reactivation`,
    summary: 'Reactivate an API key',
    description: 'Lets a deactivated API key work again. One that has expired stays expired.',
    parameters: keyOfOrganization,
    success: { status: 200, description: 'The API key after that', body: ApiKey },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  replaceApiKey: {
    ...writing,
    path: `${path}/{id}/replacement`,
    summary: 'Replace an API key',
    description:
      'Creates an API key with the scope and the quota of an active one. The old key expires after a grace period. A key that has a successor is not replaced again: replace the successor.',
    parameters: keyOfOrganization,
    body: ApiKeyReplacement,
    success: { status: 201, description: 'The new key', body: CreatedApiKey },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
  getApiKeyUsage: {
    ...reading,
    path: `${path}/{id}/usage`,
    summary: 'Get the usage of an API key',
    description: 'Counts the requests of an API key by the day and the operation.',
    parameters: keyOfOrganization,
    success: { status: 200, description: 'Usage of the key', body: ApiKeyUsage },
  },
} as const satisfies Record<string, PlatformOperation>;
