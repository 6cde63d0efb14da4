import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LinkProps } from '@tanstack/react-router';
import type { AnswerOf, RequestOf } from '../../api/ask.ts';
import type { IconName } from '../icon.tsx';

export type SearchResult = AnswerOf<'POST /search'>['items'][number];
export type SearchKind = RequestOf<'POST /search'>['body']['kinds'][number];

interface Offered {
  readonly kind: SearchKind;
  readonly label: MessageDescriptor;
  readonly icon: IconName;
  readonly link: (result: SearchResult) => Pick<LinkProps, 'to' | 'params' | 'search'>;
}

/** The kinds that have a page, in the order of their results. A further kind is searched once it is here. */
export const offeredKinds: readonly Offered[] = [
  {
    kind: 'company',
    label: msg`Companies`,
    icon: 'building',
    link: ({ id }) => ({ to: '/companies/$id', params: { id } }),
  },
  {
    kind: 'division',
    label: msg`Divisions`,
    icon: 'tree',
    link: ({ id, tenant }) => ({
      to: '/companies/$id',
      params: { id: tenant! },
      search: { division: id },
    }),
  },
  {
    kind: 'key',
    label: msg`API keys`,
    icon: 'key',
    link: ({ id }) => ({ to: '/settings/api-keys/$id', params: { id } }),
  },
  {
    kind: 'employee',
    label: msg`Employees`,
    icon: 'user',
    link: ({ id }) => ({ to: '/employees/$id', params: { id } }),
  },
  {
    kind: 'order',
    label: msg`Orders`,
    icon: 'inbox',
    link: ({ id }) => ({ to: '/orders', search: { order: id, all: true } }),
  },
  {
    kind: 'user',
    label: msg`Users`,
    icon: 'users',
    link: ({ id }) => ({ to: '/settings/users/$id', params: { id } }),
  },
];

/** Tells a result from others of its name: a division by its company and the divisions above it. */
export function placeOf({ detail, path }: Pick<SearchResult, 'detail' | 'path'>): string {
  return [detail, ...path.slice(0, -1)].filter(Boolean).join(' › ');
}
