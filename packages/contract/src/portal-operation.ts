import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { bodyLimits } from './body-limit.ts';
import { filterBounds } from './filter/bounds.ts';
import {
  CreatedListQuery,
  type Declaration,
  declare,
  type DeclaredOn,
  none,
  type Operation,
} from './operation.ts';
import { ClosedObject } from './schema.ts';

export const portalPermissions = {
  IT: 'Look after the integrations: API keys',
  HR: 'Do the work of HR, for some tenants or for all',
  COMPANY_ADMIN: 'Administrate the organization and its users',
  PAYROLL_RUN: 'Check and discard payroll runs and settle amounts, of the tenants of HR',
  PAYROLL_RELEASE: 'Release payroll runs, of the tenants of HR',
  AUDIT: 'Read what HR and IT read, for some tenants or for all, and change nothing',
} as const;

export type PortalPermission = keyof typeof portalPermissions;

/** In the order in which responses list them. */
export const portalPermissionNames = Object.keys(portalPermissions) as PortalPermission[];

/** Permissions for the tenants of HR alone. Those of payroll need HR. */
export const hrPermissions = [
  'HR',
  'PAYROLL_RUN',
  'PAYROLL_RELEASE',
] as const satisfies readonly PortalPermission[];
export type HrPermission = (typeof hrPermissions)[number];

/** Whether a user with AUDIT may call an operation without another permission: what HR reads, downloads and exports. */
export function isForAuditors({
  permission,
  alsoPermission,
  method,
  changesNothing,
  success,
}: Pick<Operation, 'permission' | 'alsoPermission' | 'method' | 'changesNothing' | 'success'>): boolean {
  const isRead = method === 'GET' || changesNothing === true || success.body === 'file';
  return permission === 'HR' && alsoPermission === undefined && isRead;
}

/** The permission that a caller lacks for an operation; undefined: none. */
export function missingPermission(
  permissions: ReadonlySet<string>,
  operation: Operation,
): string | undefined {
  const { permission, alsoPermission, onePermissionOf } = operation;
  if (permissions.has('AUDIT') && isForAuditors(operation)) return undefined;
  if (onePermissionOf && !onePermissionOf.some(name => permissions.has(name)))
    return onePermissionOf.join(' or ');
  return [permission, alsoPermission].find(name => name !== undefined && !permissions.has(name));
}

interface PortalOperation extends Declaration {
  readonly permission?: PortalPermission;
  /** A second permission that the user must have. The first one gives the scope. */
  readonly alsoPermission?: PortalPermission;
  readonly onePermissionOf?: readonly PortalPermission[];
}

/** Declares an operation of the portal API. Without a permission it is open to every user. */
export function portalOperation<const Declared extends PortalOperation>(declaration: Declared) {
  return declare('portal', declaration);
}

const place = '/organizations/{organizationId}';

type Below<Path extends string> = Path extends `${typeof place}${infer Rest}` ? Rest : never;
type Own<Parameters extends TObject> =
  Parameters extends TObject<infer Properties extends TProperties>
    ? TObject<Omit<Properties, 'organizationId'>>
    : never;

type OfPortal<Declared extends Operation, More> = DeclaredOn<
  'portal',
  Omit<Declared, 'path' | 'parameters' | 'permission' | keyof More> &
    Omit<
      { readonly path: Below<Declared['path']>; readonly parameters: Own<Declared['parameters']> },
      keyof More
    > &
    More
>;

/**
 * Converts a platform operation on an organization to a portal operation on the user's own organization. `more` overrides parts of it,
 * above all the permission.
 */
export function ofPortal<const Declared extends Operation, const More extends Partial<PortalOperation>>(
  declared: Declared,
  more: More,
): OfPortal<Declared, More> {
  const { permission: _ofTokens, path, parameters, ...same } = declared;
  const { organizationId: _ofUser, ...own } = parameters.properties;
  return declare('portal', {
    ...same,
    path: path.slice(place.length),
    parameters: ClosedObject(own),
    ...more,
  }) as OfPortal<Declared, More>;
}

const ofHrDesk = { permission: 'HR', selectsTenant: true } as const;

type OfHr<Declared, More> = DeclaredOn<
  'portal',
  Omit<Declared, keyof typeof ofHrDesk | keyof More> & typeof ofHrDesk & More
>;

/** Converts a public operation to one of the work of HR: for the tenants of the user's permission, of which `X-Tenant-ID` selects one. */
export function ofHr<const Declared extends Operation, const More extends Partial<PortalOperation>>(
  declared: Declared,
  more: More,
): OfHr<Declared, More> {
  return declare('portal', { ...declared, ...ofHrDesk, ...more });
}

const { filter, createdAtFrom, createdAtTo, ...pages } = CreatedListQuery.properties;

/** A body has no length of its own, as an address has. */
const selection = {
  filter: Type.Optional(Type.String({ ...filter, maxLength: filterBounds.characters })),
  createdAtFrom,
  createdAtTo,
};

const ListSearch = ClosedObject({ ...pages, ...selection });

/** A list that users search by what they type, such as a name. It stands in the body: addresses are logged. Spread it behind the rest. */
export const searched = { method: 'POST', changesNothing: true, query: none, body: ListSearch } as const;

/** A column of an export, as the page shows it: the service does not know the words of the portal. */
const ExportColumn = ClosedObject({
  field: Type.String({ minLength: 1, maxLength: 60, examples: ['id'] }),
  label: Type.String({ minLength: 1, maxLength: 200, examples: ['ID'] }),
});

const ValueWords = ClosedObject({
  field: Type.String({ minLength: 1, maxLength: 60, examples: ['status'] }),
  value: Type.String({ minLength: 1, maxLength: 60, examples: ['active'] }),
  words: Type.String({ minLength: 1, maxLength: 200, examples: ['Aktiv'] }),
});

const ListExport = ClosedObject({
  ...selection,
  sort: pages.sort,
  columns: Type.Array(ExportColumn, { minItems: 1, maxItems: 60 }),
  words: Type.Optional(
    Type.Array(ValueWords, {
      maxItems: 2000,
      description: 'Words for values; the others stand as they are',
    }),
  ),
  language: Type.Enum(['en', 'de'], { type: 'string', description: 'Form of dates, numbers and separators' }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'IANA name of the zone that instants are shown in',
    examples: ['Europe/Berlin'],
  }),
});
export type ListExport = Static<typeof ListExport>;

/** A CSV file of a list for a spreadsheet. Its rows, their order and its columns are what the list shows. */
export const exported = {
  method: 'POST',
  query: none,
  body: ListExport,
  bodyLimit: bodyLimits.large,
  success: {
    status: 200,
    description:
      'RFC 4180 with a header; cells that a spreadsheet would run as a formula begin with an apostrophe',
    body: 'file',
    mediaTypes: ['text/csv'],
    made: 'from-rows',
  },
} as const;

/** The query of what the chosen company narrows. */
export const CompanyQuery = ClosedObject({
  tenant: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{24}$',
      description: 'Only data of this tenant; nothing if it is out of scope',
      examples: ['65f0c0ffee0123456789abcd'],
    }),
  ),
});
