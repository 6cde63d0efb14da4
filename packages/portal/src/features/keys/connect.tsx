import { Anchor, Select, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { scopeQuery, tenantsQuery } from '../../api/queries.ts';
import { publicApi } from '../../api/requests.ts';
import { Answered } from '../../kit/answered.tsx';
import { CopyButton, CopyText } from '../../kit/copy-button.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import type { Key } from './key-parts.tsx';
import { mayRequest, useResourceWords } from './key-purpose.tsx';
import { useOperationWords } from './operation-words.tsx';
import { baseUrl, commandOf } from './request.ts';
import shared from '../../kit/shared.module.css';

type Scope = AnswerOf<'GET /api-keys/{id}/scope'>;
type Company = Pick<Scope['grantedTenants'][number], 'id' | 'name'> & {
  readonly divisions?: Scope['grantedTenants'][number]['divisions'];
};

/** Most companies whose identifiers are shown. */
const maxCompanies = 5;

/** All that a system needs to use the key, but for the key itself. */
export function Connect({ shown: { id, wholeOrganization, permissions } }: { shown: Key }) {
  const { t } = useLingui();
  const all = useQuery({ ...tenantsQuery, enabled: wholeOrganization }).data?.items;
  return (
    <Section title={t`Connect a system`}>
      <Answered answer={useAnswer(scopeQuery(id))} height={220}>
        {({ tenants, grantedTenants }) => (
          <Details
            companies={wholeOrganization ? (all ?? []) : grantedTenants}
            count={tenants}
            permissions={permissions}
          />
        )}
      </Answered>
    </Section>
  );
}

interface DetailsProps {
  readonly companies: readonly Company[];
  readonly count: number;
  readonly permissions: Key['permissions'];
}

function Details({ companies, count, permissions }: DetailsProps) {
  const { t } = useLingui();
  const listed = companies.slice(0, maxCompanies);
  const rest = count - listed.length;
  return (
    <Stack gap="lg">
      <Facts>
        <Fact name={t`Base URL`}>
          <span className={shared.mono}>{baseUrl}</span>{' '}
          <CopyButton text={baseUrl} label={t`Copy the base URL`} />
        </Fact>
        <Fact name={t`Header with the key`}>
          <span className={shared.mono}>{publicApi.header}</span>{' '}
          <CopyButton text={publicApi.header} label={t`Copy the name of the header`} />
        </Fact>
        <Fact name={t`Company IDs`}>
          {listed.map(company => (
            <div key={company.id} style={{ overflowWrap: 'anywhere' }}>
              {company.name} <TechnicalId {...company} />
            </div>
          ))}
          {rest > 0 && (
            <Text size="sm" c="dimmed">
              <Plural value={rest} one="# more company" other="# more companies" />
            </Text>
          )}
          <Text size="sm" c="dimmed">
            <Trans>
              The header <span className={shared.mono}>X-Tenant-ID</span> limits a request to one company.
            </Trans>
          </Text>
        </Fact>
        <Fact name={t`Reference`}>
          <Anchor href="/docs" underline="always">
            <Trans>Operations, fields and errors</Trans>
          </Anchor>
          {' · '}
          <Anchor href={`${publicApi.prefix}/openapi.json`} underline="always">
            <Trans>OpenAPI document</Trans>
          </Anchor>
        </Fact>
      </Facts>
      <Requests company={companies[0]} permissions={permissions} />
    </Stack>
  );
}

interface RequestsProps {
  readonly company: Company | undefined;
  readonly permissions: Key['permissions'];
}

/** Only the requests that the key may send. */
function Requests({ company, permissions }: RequestsProps) {
  const { t } = useLingui();
  const wordsFor = useOperationWords();
  const resources = useResourceWords();
  const [operation, setOperation] = useState<string | null>(null);
  const allowed = publicApi.requests.filter(one => mayRequest(permissions, one));
  const request = allowed.find(one => one.operation === operation) ?? allowed[0]!;
  const groups = Object.groupBy(allowed, ({ resource }) => resource);
  return (
    <Stack gap="xs">
      <Select
        label={t`Request`}
        description={t`A command for a terminal, with the key in the variable KONTOR_API_KEY. Writes store nothing: they are dry runs.`}
        allowDeselect={false}
        maxDropdownHeight={320}
        value={request.operation}
        onChange={setOperation}
        data={Object.entries(groups).map(([resource, requests]) => ({
          group: resources[resource as keyof typeof resources],
          items: requests.map(one => ({ value: one.operation, label: wordsFor(one.operation) })),
        }))}
      />
      <CopyText
        text={commandOf(request, { tenant: company?.id, division: company?.divisions?.[0]?.id })}
        label={t`The command`}
      >
        <Trans>Copy command</Trans>
      </CopyText>
    </Stack>
  );
}
