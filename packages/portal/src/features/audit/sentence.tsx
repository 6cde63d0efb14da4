import { useLingui } from '@lingui/react/macro';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
import { useFieldWords } from '../../kit/field-words.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';

type Entry = AnswerOf<'POST /audit-entries/search'>['items'][number];
type Target = NonNullable<Entry['target']>;
type To = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Says who did what, to what and in which company, with links to both. */
export function Sentence({ entry: { sentence, target, targetType, targetId } }: { entry: Entry }) {
  const { i18n } = useLingui();
  const name = target && nameOf(target, targetType);
  const company = target && target.tenant !== null && target.tenantName;
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {sentence[i18n.locale === 'de' ? 'de' : 'en']}
      {name && (
        <>
          {': '}
          <Linked to={target.canOpen ? linkOf(targetType, targetId, target.tenant) : null}>{name}</Linked>
        </>
      )}
      {company && (
        <>
          {' ('}
          <Linked to={linkOf('tenant', target.tenant!, null)}>{company}</Linked>)
        </>
      )}
    </span>
  );
}

function nameOf({ name }: Target, type: string): string | null {
  const isMonth = type === 'payroll_run' || type === 'payroll_export_document';
  return name !== null && isMonth ? monthName(name) : name;
}

function Linked({ to, children }: { to: To | null; children: ReactNode }) {
  return to === null ? (
    <>{children}</>
  ) : (
    <TextLink {...to} inherit underline="always">
      {children}
    </TextLink>
  );
}

function linkOf(type: string, id: string, tenant: string | null): To | null {
  switch (type) {
    case 'employee':
      return { to: '/employees/$id', params: { id } };
    case 'order':
      return { to: '/orders', search: { order: id, all: true } };
    case 'incident':
      return { to: '/incidents', search: { incident: id, all: true } };
    case 'tenant':
      return { to: '/companies/$id', params: { id } };
    case 'division':
      return tenant === null
        ? null
        : { to: '/companies/$id', params: { id: tenant }, search: { division: id } };
    case 'key':
      return { to: '/settings/api-keys/$id', params: { id } };
    case 'user':
    case 'openid':
      return { to: '/settings/users/$id', params: { id } };
    default:
      return null;
  }
}

interface ActorProps {
  readonly type: Entry['actorType'];
  readonly id: string;
  readonly children: ReactNode;
}

/** The actor, with a link to a user or a key. One that was deleted has a page that says so. */
export function ActorLink({ type, id, children }: ActorProps) {
  const to = type === 'user' ? linkOf('user', id, null) : type === 'api_key' ? linkOf('key', id, null) : null;
  return <Linked to={to}>{children}</Linked>;
}

/** Names of changed fields, whose values the audit does not keep. A field without a name is left out. */
export function useFieldList(): (fields: readonly string[]) => string {
  const { t } = useLingui();
  const words: Readonly<Record<string, string>> = {
    ...useFieldWords(),
    adviserNumber: t`Adviser number of DATEV`,
    approveUpTo: t`Approve up to a month`,
    attachments: t`Files`,
    auditDays: t`Keep the audit log (days)`,
    benefitProRata: t`Export the taxable benefit of a part month by days`,
    changesBySecondActor: t`A second person must confirm settlements and changes of these settings`,
    clientNumber: t`Client number of DATEV`,
    contract: t`Contract`,
    conversionBound: t`Ask above conversions of a person`,
    cutOffDay: t`Cut-off day`,
    days: t`Keep the audit log (days)`,
    defaultKeyDays: t`Default lifetime in days`,
    employeeHistoryDays: t`History of changes in days`,
    expectedIntervalSeconds: t`Expected interval`,
    firstPeriod: t`First month`,
    hrHistory: t`Decision`,
    hrTenants: t`HR for`,
    kinds: t`Wage types`,
    leaves: t`Absences`,
    lugCorrections: t`Corrections in DATEV Lohn und Gehalt`,
    maxKeyDays: t`Maximum lifetime in days`,
    minPasswordLength: t`Minimum length of passwords`,
    otherDays: t`Keep other orders and incidents (days)`,
    partMonth: t`First and last month of a contract`,
    passkeyPermissions: t`Require a passkey of users with`,
    permissions: t`Permissions`,
    personnelNumbers: t`Employee numbers`,
    rejectAbove: t`Reject above a month`,
    releaseBySecondActor: t`A second person must release a month`,
    voucherYears: t`Keep payroll vouchers (years)`,
    withinDays: t`Only orders of the last days`,
  };
  return fields => fields.flatMap(field => words[field] ?? []).join(' · ');
}
