import type { ApiName } from '@kontor/contract';

/** The committed document of each API, from the root of the repository. */
export const documentFiles: Readonly<Record<ApiName, string>> = {
  public: 'openapi.json',
  platform: 'openapi.platform.json',
  portal: 'openapi.portal.json',
};
