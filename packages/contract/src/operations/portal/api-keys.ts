import { none } from '../../operation.ts';
import { ApiKeySight, ApiKeySightQuestion } from '../../resources/portal/api-key-sight.ts';
import { apiKeyOperations } from '../platform/api-keys.ts';
import { ofPortal } from './of-platform.ts';
import type { PortalOperation } from './operation.ts';

export const portalApiKeyOperations = {
  listPortalApiKeys: ofPortal(apiKeyOperations.listApiKeys, {
    description:
      'Lists the API keys that the user may look after, without their secrets; deleted ones too. Of HR alone these are the keys that see nothing but the tenants that this is for.',
  }),
  createPortalApiKey: ofPortal(apiKeyOperations.createApiKey, {
    description:
      'Makes an API key, which is shown in this answer only. It sees no more than the user. Takes a fresh sign-in. After a time-out delete the key that may be there, which nobody has.',
    needsFreshSignIn: true,
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
  }),
  countPortalApiKeySight: {
    tag: 'API keys',
    method: 'POST',
    authenticated: true,
    path: '/api-key-sights',
    summary: 'Count what an API key would see',
    description:
      'Counts the tenants, divisions, employees and orders that a key of this scope would see as things are now. It makes no key, and takes no scope that the user could not give.',
    parameters: none,
    query: none,
    body: ApiKeySightQuestion,
    success: { status: 200, description: 'How much the key would see', body: ApiKeySight },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
  },
  getPortalApiKey: ofPortal(apiKeyOperations.getApiKey, {}),
  deletePortalApiKey: ofPortal(apiKeyOperations.deleteApiKey, {}),
  deactivatePortalApiKey: ofPortal(apiKeyOperations.deactivateApiKey, {}),
  reactivatePortalApiKey: ofPortal(apiKeyOperations.reactivateApiKey, {}),
  replacePortalApiKey: ofPortal(apiKeyOperations.replaceApiKey, {
    description:
      'Makes an API key that sees the same as an active one and has its quota; the old one stops working after a time of grace. Takes a fresh sign-in.',
    needsFreshSignIn: true,
  }),
  getPortalApiKeyUsage: ofPortal(apiKeyOperations.getApiKeyUsage, {}),
} as const satisfies Record<string, PortalOperation>;
