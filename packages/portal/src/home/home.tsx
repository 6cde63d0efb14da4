import { Box, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { identityQuery, keysQuery, usersQuery } from '../api/queries.ts';
import { filterOf, type Show } from '../keys/search.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { LinkButton, TextLink } from '../parts/link-button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';

/** Items that need the user's attention. */
export function HomePage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const name = identity?.user.name ?? '';
  const withoutActivity = useKeys('noRecentActivity', 'noRecentActivitySince');
  const ending = useKeys('ending', 'expiresAt');
  const unused = useKeys('unused', 'lastUsedAt');
  const active = useKeys('active', '-createdAt');
  const uninvited = useRunOutInvitations(identity?.user.permissions.includes('COMPANY_ADMIN') ?? false);
  const queries = [withoutActivity, ending, unused, active];
  const error = queries.find(query => query.error)?.error;
  const ready = queries.every(query => query.data);
  const keysWaiting = [withoutActivity, ending, unused].reduce(
    (sum, { data }) => sum + (data?.totalElements ?? 0),
    0,
  );
  const waits = keysWaiting + (uninvited?.length ?? 0);
  return (
    <Page title={t`Good day, ${name}`} lead={identity?.organization.name}>
      {error && <Failure error={error} />}
      {!ready && !error && <Loading />}
      {ready && active.data!.totalElements === 0 && <NoKeys />}
      {ready && active.data!.totalElements > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Tile show="active" icon="key" count={active.data!.totalElements} label={t`active keys`} />
          <Tile
            show="noRecentActivity"
            icon="alert"
            count={withoutActivity.data!.totalElements}
            label={t`have fallen silent`}
          />
          <Tile show="ending" icon="clock" count={ending.data!.totalElements} label={t`end within 30 days`} />
          <Tile show="unused" icon="alert" count={unused.data!.totalElements} label={t`unused for 90 days`} />
        </SimpleGrid>
      )}
      {ready && (active.data!.totalElements > 0 || waits > 0) && (
        <Box>
          <Title order={2} mb="sm">
            <Trans>Waits for you</Trans>
          </Title>
          {waits === 0 ? (
            <Group className="surface" p="md" gap="sm" wrap="nowrap">
              <Icon name="check" />
              <Text>
                <Trans>
                  Nothing. Keys that fall silent, come to their end, or that nobody uses any more, are named
                  here.
                </Trans>
              </Text>
            </Group>
          ) : (
            <Stack gap="xs">
              {withoutActivity.data!.items.map(key => (
                <Waiting key={key.id} id={key.id} name={key.name}>
                  {key.lastSuccessAt === null ? (
                    <Trans>has fallen silent, no success is known: does its system still run?</Trans>
                  ) : (
                    <Trans>
                      has fallen silent, last success <When at={key.lastSuccessAt} />: does its system still
                      run?
                    </Trans>
                  )}
                </Waiting>
              ))}
              {uninvited?.map(({ id, name }) => (
                <Box key={id} className="surface" p="md">
                  <TextLink to="/settings/users/$id" params={{ id }} fw={600}>
                    {name}
                  </TextLink>{' '}
                  <Text span c="dimmed">
                    <Trans>did not use the invitation, which has run out: make a new link</Trans>
                  </Text>
                </Box>
              ))}
              {ending.data!.items.map(key => (
                <Waiting key={key.id} id={key.id} name={key.name}>
                  <Trans>
                    ends <When at={key.expiresAt!} />: replace it in time
                  </Trans>
                </Waiting>
              ))}
              {unused.data!.items.map(key => (
                <Waiting key={key.id} id={key.id} name={key.name}>
                  {key.lastUsedAt ? (
                    <Trans>
                      last used <When at={key.lastUsedAt} />: is it still needed?
                    </Trans>
                  ) : (
                    <Trans>was never used: is it still needed?</Trans>
                  )}
                </Waiting>
              ))}
            </Stack>
          )}
        </Box>
      )}
    </Page>
  );
}

function useKeys(show: Show, sort: string) {
  const [now] = useState(Date.now);
  return useAnswer(keysQuery({ filter: filterOf({ show }, now), sort, pageSize: 5 }));
}

/** Users whose invitation has run out, for who can do something about it; undefined: they are not known yet. */
function useRunOutInvitations(isAdmin: boolean) {
  const filter = 'status = invited AND invitedUntil IS NULL';
  const { data } = useQuery({ ...usersQuery({ filter, sort: 'name', pageSize: 5 }), enabled: isAdmin });
  return data?.items;
}

function Loading() {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {[1, 2, 3].map(each => (
        <Skeleton key={each} height={92} radius="lg" />
      ))}
    </SimpleGrid>
  );
}

function NoKeys() {
  const { t } = useLingui();
  return (
    <Empty
      icon="key"
      title={t`Connect the first system`}
      action={
        <LinkButton to="/settings/api-keys/new" leftSection={<Icon name="plus" />}>
          <Trans>Create an API key</Trans>
        </LinkButton>
      }
    >
      <Trans>
        An HR or payroll system works with Kontor through an API key, which says what it sees. When one is
        there, this page shows what waits for you.
      </Trans>
    </Empty>
  );
}

function Tile({ show, icon, count, label }: { show: Show; icon: IconName; count: number; label: string }) {
  return (
    <Box className="surface" p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fz={30} fw={700} lh={1.1}>
          {count}
        </Text>
        <Box c="dimmed">
          <Icon name={icon} size={22} />
        </Box>
      </Group>
      <TextLink to="/settings/api-keys" search={{ show }} size="sm">
        {label}
      </TextLink>
    </Box>
  );
}

function Waiting({ id, name, children }: { id: string; name: string; children: React.ReactNode }) {
  return (
    <Box className="surface" p="md">
      <TextLink to="/settings/api-keys/$id" params={{ id }} fw={600}>
        {name}
      </TextLink>{' '}
      <Text span c="dimmed">
        {children}
      </Text>
    </Box>
  );
}
