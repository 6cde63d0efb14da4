import type { PortalPermission } from '@kontor/contract';

/** The sections of the menu, in their order. */
const sections = ['home', 'hr', 'organization', 'it'] as const;
export type Section = (typeof sections)[number];

/** A page of the menu. Without a permission it is open to everybody. */
export interface MenuPage {
  readonly to: string;
  readonly section: Section;
  readonly permission?: PortalPermission;
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
  return permission === undefined || permissions.includes(permission);
}

/** The page of the menu that an address belongs to: the nearest one above it. */
export function pageAt<Page extends MenuPage>(pages: readonly Page[], address: string): Page | undefined {
  return pages
    .filter(({ to }) => address === to || address.startsWith(`${to}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}
