/** The APIs with a document for their clients; the API of the portal is private. */
export const publishedApis = ['public', 'platform'] as const;

type PublishedName = (typeof publishedApis)[number];

/** The committed document of each of them, from the root of the repository. */
export const documentFiles: Readonly<Record<PublishedName, string>> = {
  public: 'openapi/public.json',
  platform: 'openapi/platform.json',
};

/** Their documents in the last release, in the form of `released-contract.ts`. `npm run check:contract` compares them with the present ones. */
export const releasedFiles: Readonly<Record<PublishedName, string>> = {
  public: 'openapi/released/public.json',
  platform: 'openapi/released/platform.json',
};
