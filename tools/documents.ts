import type { ApiName } from '@kontor/contract';

/** The committed document of each API, from the root of the repository. */
export const documentFiles: Readonly<Record<ApiName, string>> = {
  public: 'openapi/public.json',
  platform: 'openapi/platform.json',
  portal: 'openapi/portal.json',
};

/** The document of each API as it was last released, which `npm run check:contract` compares the present one with. */
export const releasedFiles: Readonly<Record<ApiName, string>> = {
  public: 'openapi/released/public.json',
  platform: 'openapi/released/platform.json',
  portal: 'openapi/released/portal.json',
};
