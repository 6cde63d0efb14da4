import type { Api } from './api.ts';
import { platformApi } from './platform.ts';
import { portalApi } from './portal.ts';
import { publicApi } from './public.ts';
import type { ApiName, Operation } from '../operation.ts';

export const apis = { public: publicApi, platform: platformApi, portal: portalApi } as const satisfies Record<
  ApiName,
  Api
>;

/** All operations of all APIs, in the order of the documents. */
export const allOperations: readonly DeclaredOperation[] = Object.entries<Api>(apis).flatMap(([name, api]) =>
  Object.entries(api.operations).map(([id, operation]) => ({ id, operation, apiName: name as ApiName, api })),
);

export interface DeclaredOperation {
  readonly id: string;
  readonly operation: Operation;
  readonly apiName: ApiName;
  readonly api: Api;
}
