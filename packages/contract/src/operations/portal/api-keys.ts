import { bodyLimits } from '../../body-limit.ts';
import { none } from '../../operation.ts';
import {
  ApiKeyHealth,
  ApiKeyHistory,
  ApiKeyScope,
  ApiKeyScopePreview,
  ApiKeyScopePreviewRequest,
  ApiKeyUpdate,
  PortalApiKey,
  portalApiKeyFields,
  PortalApiKeyList,
} from '../../resources/portal/api-key.ts';
import { apiKeyOperations } from '../platform/api-keys.ts';
import { exported, ofPortal, searched } from './operation.ts';
import { CompanyQuery } from './overview.ts';
import type { PortalOperation } from './operation.ts';

export const portalApiKeyOperations = {
  listPortalApiKeys: ofPortal(apiKeyOperations.listApiKeys, {
    description:
      'Lists the API keys that the user may manage, without their secrets; deleted ones, too. With HR alone, these are the keys whose scope is within the tenants of the permission. With `tenant` it lists the keys with access to a part of this tenant.',
    success: { status: 200, description: 'A page of API keys', body: PortalApiKeyList },
    fields: portalApiKeyFields,
    ...searched,
    query: CompanyQuery,
    path: '/api-keys/search',
  }),
  exportPortalApiKeys: ofPortal(apiKeyOperations.listApiKeys, {
    summary: 'Export API keys',
    description: 'Sends all keys of the list that the filter selects. The audit has who exported them.',
    fields: portalApiKeyFields,
    ...exported,
    query: CompanyQuery,
    path: '/api-keys/export',
  }),
  createPortalApiKey: ofPortal(apiKeyOperations.createApiKey, {
    description:
      'Creates an API key, which only this answer shows. Its scope is at most that of the user. Takes a fresh sign-in. After a timeout, delete a key that may have been created.',
    needsFreshSignIn: true,
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE', 'RATE_LIMIT_EXCEEDED'],
  }),
  previewPortalApiKeyScope: {
    tag: 'API keys',
    method: 'POST',
    authenticated: true,
    changesNothing: true,
    path: '/api-key-scope-previews',
    summary: 'Preview the scope of an API key',
    description:
      'Counts the present tenants, divisions, employees and orders in this scope. It creates no key, and rejects a scope that the user cannot grant.',
    parameters: none,
    query: none,
    body: ApiKeyScopePreviewRequest,
    bodyLimit: bodyLimits.list,
    success: { status: 200, description: 'Size of the scope', body: ApiKeyScopePreview },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
  },
  getPortalApiKey: ofPortal(apiKeyOperations.getApiKey, {
    success: { status: 200, description: 'The API key', body: PortalApiKey },
  }),
  updatePortalApiKey: ofPortal(apiKeyOperations.deactivateApiKey, {
    method: 'PATCH',
    path: '/api-keys/{id}',
    summary: 'Update an API key',
    description:
      'Sets the interval within which a request with the key is expected to succeed. Name and scope of a key are replaced, not changed.',
    body: ApiKeyUpdate,
    success: { status: 200, description: 'The API key after that', body: PortalApiKey },
  }),
  deletePortalApiKey: ofPortal(apiKeyOperations.deleteApiKey, {
    success: { status: 200, description: 'The API key, which is deleted', body: PortalApiKey },
  }),
  deactivatePortalApiKey: ofPortal(apiKeyOperations.deactivateApiKey, {
    success: { status: 200, description: 'The API key, which is inactive', body: PortalApiKey },
  }),
  reactivatePortalApiKey: ofPortal(apiKeyOperations.reactivateApiKey, {
    description:
      'Lets a deactivated API key work again. One that has expired stays expired. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'The API key after that', body: PortalApiKey },
  }),
  replacePortalApiKey: ofPortal(apiKeyOperations.replaceApiKey, {
    description:
      'Creates an API key with the scope and the quota of an active one. The old key expires after a grace period. A key that has a successor is not replaced again: replace the successor. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    errors: [...apiKeyOperations.replaceApiKey.errors, 'RATE_LIMIT_EXCEEDED'],
  }),
  getPortalApiKeyScope: ofPortal(apiKeyOperations.getApiKeyUsage, {
    path: '/api-keys/{id}/scope',
    summary: 'Get the scope of an API key',
    description:
      'Names the tenants and divisions that an API key is granted, and counts what it can access with them.',
    success: { status: 200, description: 'The scope of the key', body: ApiKeyScope },
  }),
  getPortalApiKeyHistory: ofPortal(apiKeyOperations.getApiKeyUsage, {
    path: '/api-keys/{id}/history',
    summary: 'Get the history of an API key',
    description:
      'Lists the changes of an API key with their actors, and counts requests that were rejected for the key.',
    success: { status: 200, description: 'The history of the key', body: ApiKeyHistory },
  }),
  getPortalApiKeyUsage: ofPortal(apiKeyOperations.getApiKeyUsage, {}),
  getPortalApiKeyHealth: ofPortal(apiKeyOperations.getApiKeyUsage, {
    path: '/api-keys/{id}/health',
    summary: 'Get the health of an API key',
    description:
      'Reads the health of an API key: the last and the expected activity, the position of each poll, and recent errors.',
    success: { status: 200, description: 'The health of the key', body: ApiKeyHealth },
  }),
} as const satisfies Record<string, PortalOperation>;
