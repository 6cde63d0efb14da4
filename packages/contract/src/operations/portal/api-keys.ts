import { bodyLimits } from '../../body-limit.ts';
import { none } from '../../operation.ts';
import {
  ApiKeyHealth,
  ApiKeyUpdate,
  PortalApiKey,
  portalApiKeyFields,
  PortalApiKeyList,
} from '../../resources/portal/api-key.ts';
import { ApiKeyScopePreview, ApiKeyScopePreviewRequest } from '../../resources/portal/api-key.ts';
import { apiKeyOperations } from '../platform/api-keys.ts';
import { ofPortal } from './operation.ts';
import type { PortalOperation } from './operation.ts';

export const portalApiKeyOperations = {
  listPortalApiKeys: ofPortal(apiKeyOperations.listApiKeys, {
    description:
      'Lists the API keys that the user may look after, without their secrets; deleted ones too. Of HR alone these are the keys that see nothing but the tenants that this is for.',
    success: { status: 200, description: 'A page of API keys', body: PortalApiKeyList },
    fields: portalApiKeyFields,
  }),
  createPortalApiKey: ofPortal(apiKeyOperations.createApiKey, {
    description:
      'Makes an API key, which is shown in this answer only. It sees no more than the user. Takes a fresh sign-in. After a time-out delete the key that may be there, which nobody has.',
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
      'Counts the tenants, divisions, employees and orders that a key of this scope would see as things are now. It makes no key, and takes no scope that the user could not give.',
    parameters: none,
    query: none,
    body: ApiKeyScopePreviewRequest,
    bodyLimit: bodyLimits.list,
    success: { status: 200, description: 'How much the key would see', body: ApiKeyScopePreview },
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
      'Creates an API key with the scope and the quota of an active one. The old key expires after a time of grace. A key that has a successor is not replaced again: replace the successor. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    errors: [...apiKeyOperations.replaceApiKey.errors, 'RATE_LIMIT_EXCEEDED'],
  }),
  getPortalApiKeyUsage: ofPortal(apiKeyOperations.getApiKeyUsage, {}),
  getPortalApiKeyHealth: ofPortal(apiKeyOperations.getApiKeyUsage, {
    path: '/api-keys/{id}/health',
    summary: 'Get the health of an API key',
    description:
      'Tells whether the system that uses an API key still lives: when it was last heard of and should be, how far it has read, and its last errors.',
    success: { status: 200, description: 'The health of the key', body: ApiKeyHealth },
  }),
} as const satisfies Record<string, PortalOperation>;
