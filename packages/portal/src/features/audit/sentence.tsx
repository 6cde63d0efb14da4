import { useLingui } from '@lingui/react/macro';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
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
