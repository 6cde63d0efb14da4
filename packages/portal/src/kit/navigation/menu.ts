import type { PortalPermission } from '@kontor/contract';

/** The sections of the menu, in their order. */
const sections = ['home', 'hr', 'organization', 'it'] as const;
export type Section = (typeof sections)[number];

/** A page of the menu. Without a permission it is open to everybody. */
export interface MenuPage {
  readonly to: string;
  readonly section: Section;
  readonly permission?: PortalPermission;
  /** One of these permissions is needed to change something there; absent: the permission of the page. */
  readonly changedBy?: readonly PortalPermission[];
}

/** The permitted pages by section, in the order of their declaration. A section without any is left out. */
export function menuOf<Page extends MenuPage>(
  pages: readonly Page[],
  permissions: readonly PortalPermission[],
): { section: Section; pages: Page[] }[] {
  const permitted = pages.filter(page => isPermitted(page, permissions));
  return sections
    .map(section => ({ section, pages: permitted.filter(page => page.section === section) }))
    .filter(({ pages }) => pages.length > 0);
}

export function isPermitted({ permission }: MenuPage, permissions: readonly PortalPermission[]): boolean {
  if (permission === undefined || permissions.includes(permission)) return true;
  return permission === 'HR' && permissions.includes('AUDIT');
}

/** Whether the user may change something on a page. An auditor only reads the pages of HR and of API keys. */
export function isChangeable(
  { permission, changedBy }: MenuPage,
  permissions: readonly PortalPermission[],
): boolean {
  const needed = changedBy ?? (permission === undefined ? [] : [permission]);
  return needed.length === 0 || needed.some(name => permissions.includes(name));
}

/** The page of the menu that an address belongs to: the nearest one above it. */
export function pageAt<Page extends MenuPage>(pages: readonly Page[], address: string): Page | undefined {
  return pages
    .filter(({ to }) => address === to || address.startsWith(`${to}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}
