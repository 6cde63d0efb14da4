import { useLingui } from '@lingui/react/macro';
import { publicApi } from '../../api/requests.ts';

/** Says in words what an operation of the public API does; of one that this page does not know, its identifier. */
export function useOperationWords(): (operation: string) => string {
  const { i18n } = useLingui();
  return operation => {
    const request = publicApi.requests.find(one => one.operation === operation);
    return request === undefined ? operation : i18n._(request.words);
  };
}
