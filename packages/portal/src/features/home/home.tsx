import { Box, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../api/answer.ts';
import { identityQuery, summaryQuery, tasksQuery, usePermission } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { useCompany } from '../../kit/navigation/company.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import shared from '../../kit/shared.module.css';
import { FirstSteps } from './first-steps.tsx';
import { HrWork } from './hr-work.tsx';
import { KeysInUse } from './keys-in-use.tsx';

/** The work of a day, by the permissions of the user. */
export function HomePage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const name = identity?.user.name ?? '';
  const { data, error } = useAnswer(tasksQuery(useCompany()));
  return (
    <Page title={t`Hello, ${name}`} lead={identity?.organization.name}>
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton height={320} radius="lg" />}
      {data && (
        <>
          <FirstSteps {...data} />
          {data.hr && <HrWork {...data.hr} />}
          {data.keys && data.keys.length > 0 && <KeysInUse keys={data.keys} />}
          <ExpiredInvitations />
        </>
      )}
    </Page>
  );
}

/** Users who did not use their invitation, for those who can send another one. */
function ExpiredInvitations() {
  const isAdmin = usePermission('COMPANY_ADMIN');
  const { data } = useQuery({ ...summaryQuery(useCompany()), enabled: isAdmin });
  const users = data?.expiredInvitations?.items ?? [];
  if (users.length === 0) return null;
  return (
    <Box component="section">
      <Title order={2} mb="sm">
        <Trans>Expired invitations</Trans>
      </Title>
      <Stack gap="xs" component="ul" className={shared.list}>
        {users.map(({ id, name }) => (
          <Box key={id} className={shared.surface} p="md" component="li">
            <TextLink to="/settings/users/$id" params={{ id }} fw={600}>
              {name}
            </TextLink>{' '}
            <Text span c="dimmed">
              <Trans>did not use the invitation before it expired: create a new link</Trans>
            </Text>
          </Box>
        ))}
      </Stack>
    </Box>
  );
}
