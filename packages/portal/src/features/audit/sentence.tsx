import { useLingui } from '@lingui/react/macro';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';

type Entry = AnswerOf<'POST /audit-entries/search'>['items'][number];
type Target = NonNullable<Entry['target']>;
type To = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Says who did what, to what and in which company, with links to all three. */
export function Sentence({ entry }: { entry: Entry }) {
  const { target, targetType, targetId } = entry;
  const name = target && nameOf(target, targetType);
  const company = target && target.tenant !== null && target.tenantName;
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      <Deed entry={entry} />
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

/** The text of the service, which contains the name of a user or a key. One that was deleted has a page that says so. */
function Deed({ entry: { sentence, actorType, actorId, actorName } }: { entry: Entry }) {
  const { i18n } = useLingui();
  const text = sentence[i18n.locale === 'de' ? 'de' : 'en'];
  const to =
    actorType === 'user' || actorType === 'api_key'
      ? linkOf(actorType === 'user' ? 'user' : 'key', actorId, null)
      : null;
  const start = text.indexOf(actorName);
  if (to === null || start === -1) return text;
  return (
    <>
      {text.slice(0, start)}
      <Linked to={to}>{actorName}</Linked>
      {text.slice(start + actorName.length)}
    </>
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
