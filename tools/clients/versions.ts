/** Versions of the packages that make and check clients. None of them is a dependency of the project. */
export const versions = {
  // npm
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
  // PyPI
  'openapi-generator-cli': '7.26.0',
  'openapi-python-client': '0.29.1',
  // crates.io
  reqwest: '0.13',
  serde_json: '1',
  tokio: '1',
  // Go
  'github.com/getkin/kin-openapi': 'v0.152.0',
  'github.com/oapi-codegen/oapi-codegen/v2': 'v2.8.2',
  'github.com/oapi-codegen/nullable': 'v1.1.0',
  'github.com/oapi-codegen/runtime': 'v1.8.0',
} as const;

/** A package with its version, as package managers write it: `name@1.2.3`, or with another sign between them. */
export function pinned(name: keyof typeof versions, sign = '@'): string {
  return `${name}${sign}${versions[name]}`;
}
