import { Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { useAnswer } from '../../api/answer.ts';
import { scopeQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { TechnicalId } from '../../kit/detail/facts.tsx';
import type { Key } from './key-parts.tsx';
import { ScopeCounts } from './scope-preview.tsx';
import styles from './key-scope.module.css';

type Scope = AnswerOf<'GET /api-keys/{id}/scope'>;

/** The companies and divisions of a key by name and identifier, and how much it can access with them. */
export function KeyScope({ shown: { id, wholeOrganization } }: { shown: Key }) {
  const { t } = useLingui();
  return (
    <Section title={t`Access`}>
      <Answered answer={useAnswer(scopeQuery(id))} height={120}>
        {scope => (
          <Stack gap="lg">
            <div>
              {wholeOrganization && (
                <Text mb="xs">
                  <Trans>The whole organization, including companies that are created later.</Trans>
                </Text>
              )}
              <ScopeCounts counts={scope} />
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
