import { Group, Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { scopePreviewQuery, scopeQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { TechnicalId } from '../../kit/detail/facts.tsx';
import { Failure } from '../../kit/failure.tsx';
import { type Chosen, grantsOf, isChosen } from './chosen.ts';
import type { Key } from './key-parts.tsx';
import { mayRead, PurposeWords } from './key-purpose.tsx';
import styles from './keys.module.css';

type Scope = AnswerOf<'GET /api-keys/{id}/scope'>;

/** The companies and divisions of a key by name and identifier, and how much it can access with them. */
export function KeyScope({ shown: { id, wholeOrganization, permissions } }: { shown: Key }) {
  const { t } = useLingui();
  return (
    <Section title={t`Access`}>
      <Answered answer={useAnswer(scopeQuery(id))} height={120}>
        {scope => (
          <Stack gap="lg">
            <div>
              <Text mb="xs">
                <PurposeWords permissions={permissions} />
              </Text>
              {wholeOrganization && (
                <Text mb="xs">
                  <Trans>The whole organization, including companies that are created later.</Trans>
                </Text>
              )}
              <ScopeCounts counts={scope} permissions={permissions} />
            </div>
            {scope.grantedTenants.map(tenant => (
              <Company key={tenant.id} tenant={tenant} />
            ))}
            {!wholeOrganization && (
              <More shown={scope.grantedTenants.length} of={scope.tenants}>
                {rest => <Plural value={rest} one="# more company" other="# more companies" />}
              </More>
            )}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}

function Company({ tenant }: { tenant: Scope['grantedTenants'][number] }) {
  const { name, grantedDivisions, divisions } = tenant;
  return (
    <div>
      <Title order={3} fz="md" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Text size="sm" component="div">
        <TechnicalId {...tenant} />
      </Text>
      {grantedDivisions === null ? (
        <Text size="sm" mt={6}>
          <Trans>The whole company</Trans>
        </Text>
      ) : (
        <>
          <ul className={styles.divisions}>
            {divisions.map(({ id, path }) => (
              <li key={id}>
                {path.join(' › ')} <TechnicalId id={id} name={path.at(-1)!} />
              </li>
            ))}
          </ul>
          <More shown={divisions.length} of={grantedDivisions}>
            {rest => <Plural value={rest} one="# more division" other="# more divisions" />}
          </More>
        </>
      )}
    </div>
  );
}

interface MoreProps {
  readonly shown: number;
  readonly of: number;
  readonly children: (rest: number) => ReactNode;
}

function More({ shown, of, children }: MoreProps) {
  if (of <= shown) return null;
  return (
    <Text size="sm" c="dimmed">
      {children(of - shown)}
    </Text>
  );
}

/** Milliseconds that a choice stands still before it is counted. */
const still = 250;

/** Counts of what a new key can access, shown before it is created. */
export function ScopePreview({ chosen, permissions }: { chosen: Chosen; permissions: Key['permissions'] }) {
  const [settled] = useDebouncedValue(chosen, still);
  const canAccess = isChosen(settled) && permissions?.length !== 0;
  const { data, error, isPlaceholderData } = useQuery({
    ...scopePreviewQuery(settled.whole ? { wholeOrganization: true } : { grants: grantsOf(settled) }),
    enabled: canAccess,
  });
  if (error) return <Failure error={error} />;
  const counting = settled !== chosen || isPlaceholderData;
  return (
    <Stack gap={6} className={styles.preview} role="status" aria-live="polite" aria-busy={counting}>
      <Text size="sm" c="dimmed">
        {canAccess ? (
          <Trans>The key currently has access to</Trans>
        ) : (
          <Trans>The key has no access yet.</Trans>
        )}
      </Text>
      {canAccess && data && (
        <div style={{ opacity: counting ? 0.5 : 1 }}>
          <ScopeCounts counts={data} permissions={permissions} />
        </div>
      )}
    </Stack>
  );
}

interface CountsProps {
  readonly counts: AnswerOf<'POST /api-key-scope-previews'>;
  readonly permissions: Key['permissions'];
}

/** Companies are the extent of every key. In them, it has access to the types of data of its purpose. */
function ScopeCounts({ counts, permissions }: CountsProps) {
  return (
    <Group gap="xs">
      <Count>
        <Plural value={counts.tenants} one="# company" other="# companies" />
      </Count>
      {mayRead(permissions, 'divisions') && (
        <Count>
          <Plural value={counts.divisions} one="# division" other="# divisions" />
        </Count>
      )}
      {mayRead(permissions, 'employees') && (
        <Count>
          <Plural value={counts.employees} one="# employee" other="# employees" />
        </Count>
      )}
      {mayRead(permissions, 'orders') && (
        <Count>
          <Plural value={counts.orders} one="# order" other="# orders" />
        </Count>
      )}
    </Group>
  );
}

function Count({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" fw={600} className={styles.reach}>
      {children}
    </Text>
  );
}
