import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { AnswerOf } from '../../api/ask.ts';
import type { IconName } from '../icon.tsx';
import type { MenuPage, Section } from './menu.ts';

interface PageOfMenu extends MenuPage {
  readonly to:
    | '/'
    | '/orders'
    | '/employees'
    | '/incidents'
    | '/payroll'
    | '/imports'
    | '/companies'
    | '/settings/users'
    | '/settings/organization'
    | '/settings/audit'
    | '/settings/api-keys';
  readonly icon: IconName;
  readonly label: MessageDescriptor;
  /** How much on the page needs attention. */
  readonly badge?: (summary: AnswerOf<'GET /summary'>) => number;
  /** Whether the page is the same whatever company is chosen. */
  readonly ignoresCompany?: true;
}

/** Users who manage API keys. */
const managers = ['IT', 'HR', 'COMPANY_ADMIN'] as const;

/**
 * The pages of the menu. Menu, guards and search follow from this list, so a further page is one entry here beside its route. The permission
 * of a page holds for all addresses below it, such as that of a single user.
 */
export const pages: readonly PageOfMenu[] = [
  { to: '/', section: 'home', icon: 'home', label: msg`Home`, changedBy: managers },
  {
    to: '/orders',
    section: 'hr',
    icon: 'inbox',
    label: msg`Orders`,
    permission: 'HR',
    badge: ({ ordersUnderReview }) => ordersUnderReview ?? 0,
  },
  {
    to: '/employees',
    section: 'hr',
    icon: 'user',
    label: msg`Employees`,
    permission: 'HR',
  },
  {
    to: '/incidents',
    section: 'hr',
    icon: 'alert',
    label: msg`Incidents`,
    permission: 'HR',
  },
  {
    to: '/payroll',
    section: 'hr',
    icon: 'coins',
    label: msg`Payroll`,
    permission: 'HR',
  },
  {
    to: '/imports',
    section: 'hr',
    icon: 'upload',
    label: msg`CSV import`,
    permission: 'HR',
  },
  {
    to: '/companies',
    section: 'organization',
    icon: 'building',
    label: msg`Companies`,
  },
  {
    to: '/settings/users',
    section: 'organization',
    icon: 'users',
    label: msg`Users`,
    permission: 'COMPANY_ADMIN',
    badge: ({ expiredInvitations }) => expiredInvitations?.total ?? 0,
  },
  {
    to: '/settings/organization',
    section: 'organization',
    icon: 'settings',
    label: msg`Settings`,
    permission: 'COMPANY_ADMIN',
    ignoresCompany: true,
  },
  {
    to: '/settings/audit',
    section: 'organization',
    icon: 'clock',
    label: msg`Audit log`,
    permission: 'COMPANY_ADMIN',
    ignoresCompany: true,
  },
  {
    to: '/settings/api-keys',
    section: 'it',
    icon: 'key',
    label: msg`API keys`,
    changedBy: managers,
    badge: ({ failing, noRecentActivity, expiring }) => failing + noRecentActivity + expiring,
  },
];

/** The heading of a section; null: its pages speak for themselves. */
export const sectionLabels: Readonly<Record<Section, MessageDescriptor | null>> = {
  home: null,
  hr: msg`HR`,
  organization: msg`Organization`,
  it: msg`IT`,
};
