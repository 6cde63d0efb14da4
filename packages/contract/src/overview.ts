import Type, { type Static, type TSchema } from 'typebox';
import { EmployeeImport } from './employees/imports.ts';
import { Incident } from './incidents.ts';
import { Money } from './money.ts';
import { none, read } from './operation.ts';
import { PayrollRun } from './payroll/runs.ts';
import { CompanyQuery, portalOperation } from './portal-operation.ts';
import { Notifications } from './users/notifications.ts';
import {
  ClosedObject,
  Count,
  Day,
  Id,
  Instant,
  KeyId,
  nullable,
  orNull,
  Period,
  Text,
  Values,
} from './schema.ts';

export const searchKinds = ['company', 'division', 'key', 'user', 'employee', 'order'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Most results of a kind where several are searched, and where one is, such as for a field that one is picked in. */
export const resultsPerKind = 5;
export const resultsOfOneKind = 20;

const Kind = Values('SearchKind', [...searchKinds]);

export const PortalSearch = ClosedObject({
  text: Type.String({ maxLength: 200, examples: ['muster'] }),
  kinds: Type.Array(Kind, { minItems: 1, maxItems: searchKinds.length }),
});
export type PortalSearch = Static<typeof PortalSearch>;

const SearchResult = ClosedObject({
  kind: Kind,
  id: Text(),
  name: Text(),
  detail: nullable(Text()),
  tenant: nullable(Id()),
  path: Type.Array(Type.String()),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = ClosedObject({
  items: Type.Array(SearchResult, { maxItems: searchKinds.length * resultsPerKind }),
});
export type SearchResults = Static<typeof SearchResults>;

/** Most orders, keys or users of a set that an overview names. */
export const summarizedItems = 5;

const waiting = <Item extends TSchema>(item: Item) =>
  ClosedObject({ total: Count(), items: Type.Array(item, { maxItems: summarizedItems }) });

/** The announcement of the operator. */
const Maintenance = ClosedObject({ until: nullable(Instant()), reason: nullable(Text()) });

export const PortalSummary = ClosedObject({
  workingKeys: Count(),
  activeKeys: Count(),
  failing: Count(),
  noRecentActivity: Count(),
  expiring: Count(),
  unused: Count(),
  expiredInvitations: orNull(waiting(ClosedObject({ id: Id(), name: Text() }))),
  ordersUnderReview: nullable(Count()),
  notifications: Notifications,
  maintenance: orNull(Maintenance),
});
export type PortalSummary = Static<typeof PortalSummary>;

/** The counts of the menu, which each page reads. */
export const getPortalSummary = portalOperation({
  ...read,
  path: '/summary',
  tag: 'Overview',
  query: CompanyQuery,
  success: { status: 200, body: PortalSummary },
});

export const OrderToDecide = ClosedObject({
  id: Id(),
  orderNumber: Text(),
  person: nullable(Text()),
  salaryConversion: nullable(Money(2)),
  currency: nullable(Text()),
  submittedAt: Instant(),
  expiresAt: nullable(Instant()),
});

export const IncidentToComplete = ClosedObject({
  id: Id(),
  incidentNumber: Text(),
  person: nullable(Text()),
  type: Incident.properties.type,
  createdAt: Instant(),
});

export const OpenImport = ClosedObject({
  id: Id(),
  tenant: Id(),
  fileName: Text(),
  status: EmployeeImport.properties.status,
  questions: Count(),
  expiresAt: Instant(),
});

/** Most companies with an open month that are named. */
export const companiesDueMaximum = 10;

const PayrollDue = ClosedObject({
  tenant: Id(),
  period: Period(),
  /** Null: no run was started. */
  run: orNull(PayrollRun.properties.status),
  errors: Count(),
  questions: Count(),
  cutOff: nullable(Day()),
});
export type PayrollDue = Static<typeof PayrollDue>;

/** The payroll of the present month: companies that take part, those that are not released, and the most urgent of these. */
const PayrollTasks = ClosedObject({
  period: Period(),
  companies: Count(),
  open: Count(),
  items: Type.Array(PayrollDue, { maxItems: companiesDueMaximum }),
});

const HrTasks = ClosedObject({
  orders: waiting(OrderToDecide),
  incidents: waiting(IncidentToComplete),
  imports: waiting(OpenImport),
  payroll: PayrollTasks,
  hasEmployees: Type.Boolean(),
});
export type HrTasks = Static<typeof HrTasks>;

/** Most keys of which the use is shown, and its days. */
export const keysInUseMaximum = 12;
export const daysOfKeyUse = 90;

/** The requests of a day: none, all successful, some not, or more than half not. */
const dayOutcomes = ['none', 'fine', 'some', 'failed'] as const;

export const KeyInUse = ClosedObject({
  id: KeyId(),
  name: Text(),
  /** A key and the one that replaces it often have one name. */
  lastFour: Text(),
  attention: orNull(Values('KeyAttention', ['failing', 'no_recent_activity', 'expiring', 'unused'])),
  expiresAt: nullable(Instant()),
  lastUsedAt: nullable(Instant()),
  lastSuccessAt: nullable(Instant()),
  /** The last days in UTC, the oldest first. */
  days: Type.Array(Values('DayOutcome', [...dayOutcomes]), {
    minItems: daysOfKeyUse,
    maxItems: daysOfKeyUse,
  }),
});
export type KeyInUse = Static<typeof KeyInUse>;

/** The work of a day, each part for users with its permission. */
export const PortalTasks = ClosedObject({
  hr: orNull(HrTasks),
  keys: orNull(Type.Array(KeyInUse, { maxItems: keysInUseMaximum })),
});
export type PortalTasks = Static<typeof PortalTasks>;

export const getPortalTasks = portalOperation({
  ...read,
  path: '/tasks',
  tag: 'Overview',
  query: CompanyQuery,
  success: { status: 200, body: PortalTasks },
});

export const searchPortal = portalOperation({
  tag: 'Overview',
  method: 'POST',
  authenticated: true,
  changesNothing: true,
  path: '/search',
  parameters: none,
  query: CompanyQuery,
  body: PortalSearch,
  success: { status: 200, body: SearchResults },
  errors: [],
});
