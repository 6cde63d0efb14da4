/** A part of a guide in each language, below `/docs`. */
export interface Guide {
  readonly en: string;
  readonly de: string;
}

/** The pages that have help of their own. `tab` is one of the page, as its address has it. */
interface Entry {
  readonly to: string;
  readonly tab?: string;
  readonly guide: Guide;
}

const hr = (en: string, de: string): Guide => ({ en: `hr#${en}`, de: `hr-de#${de}` });
const payroll = (en: string, de: string): Guide => ({ en: `payroll#${en}`, de: `payroll-de#${de}` });
const administration = (en: string, de: string): Guide => ({
  en: `administration#${en}`,
  de: `administration-de#${de}`,
});

const payrollSettings = administration('payroll-settings', 'abrechnungseinstellungen');
const retention = administration('retention', 'aufbewahrung');
const signIn = administration('sign-in', 'anmeldung');

const entries: readonly Entry[] = [
  { to: '/', guide: hr('the-day', 'der-tag') },
  { to: '/orders', guide: hr('decide-an-order', 'bestellung-entscheiden') },
  { to: '/employees', guide: hr('employees', 'mitarbeiter') },
  { to: '/employees/$id', tab: 'personal-data', guide: retention },
  { to: '/employees/$id/departure', guide: hr('a-departure', 'austritt') },
  { to: '/incidents', guide: hr('what-is-an-incident', 'was-ist-ein-störfall') },
  { to: '/incidents/new', guide: hr('report-an-incident', 'störfall-melden') },
  { to: '/payroll', guide: payroll('a-month', 'ein-monat') },
  { to: '/imports', guide: hr('import-a-csv-file', 'csv-datei-importieren') },
  { to: '/companies', guide: administration('companies-and-divisions', 'unternehmen-und-abteilungen') },
  { to: '/companies/$id', tab: 'payroll', guide: payrollSettings },
  { to: '/companies/$id', tab: 'approval', guide: administration('approval-rule', 'genehmigungsregel') },
  { to: '/companies/$id', tab: 'retention', guide: retention },
  { to: '/settings/users', guide: administration('users', 'benutzer') },
  { to: '/settings/organization', guide: administration('settings', 'einstellungen') },
  { to: '/settings/organization', tab: 'retention', guide: retention },
  { to: '/settings/organization/works-council', guide: retention },
  { to: '/settings/audit', guide: administration('audit-log', 'audit-protokoll') },
  { to: '/settings/api-keys', guide: administration('api-keys', 'api-schlüssel') },
  { to: '/account', guide: signIn },
  { to: '/sessions', guide: signIn },
];

/** The part about a page: first of its tab, otherwise of the nearest page at or above its address. */
export function findGuide(address: string, tab: string | undefined): Guide {
  const [nearest] = entries
    .filter(({ to }) => address === to || address.startsWith(to === '/' ? to : `${to}/`))
    .filter(entry => entry.tab === undefined || (entry.to === address && entry.tab === tab))
    .toSorted(
      (a, b) => b.to.length - a.to.length || Number(b.tab !== undefined) - Number(a.tab !== undefined),
    );
  return nearest!.guide;
}

/** Rules that a field or part of a page alone needs explained. */
export const rules = {
  files: payroll('import-into-datev', 'import-in-datev'),
  reversal: payroll('reversals-and-copies', 'umbuchung-und-kopie'),
  wageTypes: administration('wage-types', 'lohnarten'),
  permissions: administration('permissions', 'berechtigungen'),
} as const satisfies Readonly<Record<string, Guide>>;

/** All parts that something leads to. */
export const guides: readonly Guide[] = [...entries.map(({ guide }) => guide), ...Object.values(rules)];
