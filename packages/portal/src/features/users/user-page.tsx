import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { identityQuery, userQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage, Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { Email } from '../../kit/email.tsx';
import { FormPart, SettingsForm } from '../../kit/form/form.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import { UserActions } from './user-actions.tsx';
import { changesOf, type Entry, useMissing, UserFields } from './user-fields.tsx';
import { type User, userChanges, UserStatus } from './user-parts.tsx';
import { UserSessions } from './user-sessions.tsx';

/** A user with what they may do, and what can be done with them. */
export function UserPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/settings/users/$id' });
  const { data: identity } = useQuery(identityQuery);
  const isSelf = identity?.user.id === id;
  const answer = useAnswer(userQuery(id));
  const user = answer.data;
  return (
    <DetailPage
      answer={answer}
      kind={t`User`}
      back={{ to: '/settings/users', name: t`Users` }}
      lead={user && <UserStatus status={user.status} />}
      actions={user && <UserActions user={user} isSelf={isSelf} />}
    >
      {user => (
        <>
          <About user={user} />
          <Permissions key={user.id} user={user} isSelf={isSelf} />
          <UserSessions user={user} />
        </>
      )}
    </DetailPage>
  );
}

function About({ user }: { user: User }) {
  const { t } = useLingui();
  const { email, status, createdAt, lastSignInAt, invitedUntil } = user;
  return (
    <Section title={t`About this user`}>
      <Facts>
        <Fact name={t`Email`}>
          <Email address={email} />
        </Fact>
        <Fact name={t`Last sign-in`}>
          <WhenOrNever at={lastSignInAt} />
        </Fact>
        {status === 'invited' && (
          <Fact name={t`Invitation`}>
            {invitedUntil ? (
              <Trans>
                expires <When at={invitedUntil} />
              </Trans>
            ) : (
              <Trans>has expired: create a new link</Trans>
            )}
          </Fact>
        )}
        <Fact name={t`Created`}>{moment(createdAt)}</Fact>
        <Fact name={t`ID`}>
          <TechnicalId {...user} />
        </Fact>
      </Facts>
    </Section>
  );
}

interface Values extends Entry, Record<string, unknown> {}

function Permissions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const { id, name, language, permissions, hrTenants } = user;
  return (
    <SettingsForm<Values>
      initial={{ name, language, permissions, hrTenants }}
      validate={useMissing()}
      changes={userChanges}
      save={changed => ask('PATCH /users/{id}', { id, body: changesOf(user, changed) })}
    >
      {form => (
        <FormPart title={<Trans>Profile and permissions</Trans>}>
          <UserFields
            entry={form.values}
            change={form.change}
            missing={form.errors}
            fixed={isSelf ? ['COMPANY_ADMIN'] : []}
          />
        </FormPart>
      )}
    </SettingsForm>
  );
}
