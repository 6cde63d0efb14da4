import { Box, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { filterOfSet, type Show, workingKeys } from '../../api/key-sets.ts';
import { identityQuery, keysQuery, usersQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { CreateLink, TextLink } from '../../kit/navigation/link-button.tsx';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';

type Key = AnswerOf<'POST /api-keys/search'>['items'][number];

/** Items that need the user's attention. */
export function HomePage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const name = identity?.user.name ?? '';
  const failing = useKeys('failing', 'lastSuccessAt');
  const noRecentActivity = useKeys('no_recent_activity', 'noRecentActivitySince');
  const ending = useKeys('ending', 'expiresAt');
  const unused = useKeys('unused', 'lastUsedAt');
  const active = useKeys('active', '-createdAt');
  const working = useAnswer(keysQuery({ filter: workingKeys, sort: '-createdAt', pageSize: 1 }));
  const hasKeys = (working.data?.totalElements ?? 0) > 0;
  const uninvited = useRunOutInvitations(identity?.user.permissions.includes('COMPANY_ADMIN') ?? false);
  const sets = [active, failing, noRecentActivity, ending, unused];
  const error = working.error ?? sets.find(set => set.error)?.error;
  const isReady = working.data !== undefined && sets.every(set => set.isReady);
  const hasWaiting = [failing, noRecentActivity, ending, unused, uninvited].some(
    ({ items }) => items.length > 0,
  );
  return (
    <Page title={t`Good day, ${name}`} lead={identity?.organization.name}>
      {error && <Failure error={error} />}
      {!isReady && !error && <Loading />}
      {isReady && !hasKeys && <NoKeys />}
      {isReady && hasKeys && (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }}>
          <Tile {...active} icon="key" label={t`active keys`} />
          <Tile {...failing} icon="alert" label={t`failing`} />
          <Tile {...noRecentActivity} icon="alert" label={t`without recent activity`} />
          <Tile {...ending} icon="clock" label={t`end within 30 days`} />
          <Tile {...unused} icon="alert" label={t`unused for 90 days`} />
        </SimpleGrid>
      )}
      {isReady && (hasKeys || hasWaiting) && (
        <Box>
          <Title order={2} mb="sm">
            <Trans>Needs attention</Trans>
          </Title>
          {!hasWaiting && <NothingWaits />}
          <Stack gap="xs">
            {failing.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
                {key.lastSuccessAt === null ? (
                  <Trans>Failing, no success is known: see its last errors</Trans>
                ) : (
                  <Trans>
                    Failing, last success <When at={key.lastSuccessAt} />: see its last errors
                  </Trans>
                )}
              </Waiting>
            ))}
            {noRecentActivity.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
                {key.lastSuccessAt === null ? (
                  <Trans>No recent activity, no success is known: does its system still run?</Trans>
                ) : (
                  <Trans>
                    No recent activity, last success <When at={key.lastSuccessAt} />: does its system still
                    run?
                  </Trans>
                )}
              </Waiting>
            ))}
            {uninvited.items.map(user => (
              <Waiting key={user.id} link={<UserLink {...user} />}>
                <Trans>did not use the invitation, which has run out: make a new link</Trans>
              </Waiting>
            ))}
            {ending.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
                <Trans>
                  ends <When at={key.expiresAt!} />: replace it in time
                </Trans>
              </Waiting>
            ))}
            {unused.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
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
        </Box>
      )}
    </Page>
  );
}

/** A set of keys: how many there are, and the first of them. */
function useKeys(show: Show, sort: string) {
  const [now] = useState(Date.now);
  const { data, error } = useAnswer(keysQuery({ filter: filterOfSet(show, now), sort, pageSize: 5 }));
  const items: readonly Key[] = data?.items ?? [];
  return { show, error, isReady: data !== undefined, total: data?.totalElements ?? 0, items };
}

/** Users with an expired invitation, for users who may send a new one. */
function useRunOutInvitations(isAdmin: boolean) {
  const filter = 'status = invited AND invitedUntil IS NULL';
  const { data } = useQuery({ ...usersQuery({ filter, sort: 'name', pageSize: 5 }), enabled: isAdmin });
  return { items: data?.items ?? [] };
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
        <CreateLink to="/settings/api-keys/new">
          <Trans>Create an API key</Trans>
        </CreateLink>
      }
    >
      <Trans>
        An HR or payroll system works with Kontor through an API key, which says what it sees. When one is
        there, this page shows what waits for you.
      </Trans>
    </Empty>
  );
}

function NothingWaits() {
  return (
    <Group className="surface" p="md" gap="sm" wrap="nowrap">
      <Icon name="check" />
      <Text>
        <Trans>
          Nothing. Keys that fail, have no recent activity, expire soon or are unused are listed here.
        </Trans>
      </Text>
    </Group>
  );
}

interface TileProps {
  readonly show: Show;
  readonly icon: IconName;
  readonly total: number;
  readonly label: string;
}

function Tile({ show, icon, total, label }: TileProps) {
  return (
    <Box className="surface" p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fz={30} fw={700} lh={1.1}>
          {total}
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

interface Named {
  readonly id: string;
  readonly name: string;
}

const KeyLink = ({ id, name }: Named) => (
  <TextLink to="/settings/api-keys/$id" params={{ id }} fw={600}>
    {name}
  </TextLink>
);

const UserLink = ({ id, name }: Named) => (
  <TextLink to="/settings/users/$id" params={{ id }} fw={600}>
    {name}
  </TextLink>
);

/** An entry that needs attention: the link, and the reason. */
function Waiting({ link, children }: { link: ReactNode; children: ReactNode }) {
  return (
    <Box className="surface" p="md">
      {link}{' '}
      <Text span c="dimmed">
        {children}
      </Text>
    </Box>
  );
}
