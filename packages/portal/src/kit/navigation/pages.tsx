import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../icon.tsx';
import type { Place, Section } from './menu.ts';

/**
 * The pages of the menu. Menu, guards and search follow from this list, so a further page is one entry here beside its route. The permission
 * of a page holds for all addresses below it, such as that of a single user.
 */
export const pages = [
  { to: '/', section: 'home', icon: 'home', label: msg`Home` },
  { to: '/orders', section: 'hr', icon: 'inbox', label: msg`Orders`, permission: 'HR' },
  { to: '/companies', section: 'organization', icon: 'building', label: msg`Companies` },
  {
    to: '/settings/users',
    section: 'organization',
    icon: 'users',
    label: msg`Users`,
    permission: 'COMPANY_ADMIN',
  },
  { to: '/settings/api-keys', section: 'it', icon: 'key', label: msg`API keys` },
] as const satisfies readonly (Place & { icon: IconName; label: MessageDescriptor })[];

/** The heading of a section; null: its pages speak for themselves. */
export const sectionLabels: Readonly<Record<Section, MessageDescriptor | null>> = {
  home: null,
  hr: msg`HR`,
  organization: msg`Organization`,
  it: msg`IT`,
};
