import { Box, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import type { Show } from '../../api/key-sets.ts';
import { identityQuery, summaryQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { useCompany } from '../../kit/navigation/company.tsx';
import { CreateLink, TextLink } from '../../kit/navigation/link-button.tsx';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';
import shared from '../../kit/shared.module.css';

/** Items that need the user's attention. */
export function HomePage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const name = identity?.user.name ?? '';
  const { data, error } = useAnswer(summaryQuery(useCompany()));
  return (
    <Page title={t`Hello, ${name}`} lead={identity?.organization.name}>
      {error && <Failure error={error} />}
      {!data && !error && <Loading />}
      {data && <Summary {...data} />}
    </Page>
  );
}

function Summary(summary: AnswerOf<'GET /summary'>) {
  const { t } = useLingui();
  const { activeKeys, workingKeys, failing, noRecentActivity, expiring, unused } = summary;
  const uninvited = summary.expiredInvitations?.items ?? [];
  const orders = summary.ordersUnderReview ?? 0;
  const hasKeys = [failing, noRecentActivity, expiring, unused].some(({ total }) => total > 0);
  const hasWaiting = hasKeys || orders + uninvited.length > 0;
  return (
    <>
      {(workingKeys > 0 || hasWaiting) && (
        <Box>
          <Title order={2} mb="sm">
            <Trans>Needs attention</Trans>
          </Title>
          {!hasWaiting && <NothingWaits />}
          <Stack gap="xs" component="ul" className={shared.list}>
            {orders > 0 && (
              <Waiting
                link={
                  <TextLink to="/orders" fw={600}>
                    <Plural value={orders} one="# order" other="# orders" />
                  </TextLink>
                }
              >
                <Plural value={orders} one="waits for a decision" other="wait for a decision" />
              </Waiting>
            )}
            {failing.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} tab="errors" />}>
                {key.lastSuccessAt === null ? (
                  <Trans>Failing, no successful request known. Check its last errors.</Trans>
                ) : (
                  <Trans>
                    Failing, last success <When at={key.lastSuccessAt} />. Check its last errors.
                  </Trans>
                )}
              </Waiting>
            ))}
            {noRecentActivity.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
                {key.lastSuccessAt === null ? (
                  <Trans>No recent activity, no successful request known. Is its system still running?</Trans>
                ) : (
                  <Trans>
                    No recent activity, last success <When at={key.lastSuccessAt} />. Is its system still
                    running?
                  </Trans>
                )}
              </Waiting>
            ))}
            {uninvited.map(user => (
              <Waiting key={user.id} link={<UserLink {...user} />}>
                <Trans>did not use the invitation before it expired: create a new link</Trans>
              </Waiting>
            ))}
            {expiring.items.map(key => (
              <Waiting key={key.id} link={<KeyLink {...key} />}>
                <Trans>
                  expires <When at={key.expiresAt!} />: replace it in time
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
      {workingKeys === 0 ? (
        <NoKeys />
      ) : (
        <Box>
          <Title order={2} mb="sm">
            <Trans>API keys</Trans>
          </Title>
          <SimpleGrid cols={{ base: 2, md: 5 }}>
            <Tile show="active" total={activeKeys} icon="key" label={t`active`} />
            <Tile show="failing" {...failing} icon="alert" label={t`failing`} />
            <Tile
              show="no_recent_activity"
              {...noRecentActivity}
              icon="alert"
              label={t`without recent activity`}
            />
            <Tile show="ending" {...expiring} icon="clock" label={t`expire within 30 days`} />
            <Tile show="unused" {...unused} icon="alert" label={t`not used for 90 days`} />
          </SimpleGrid>
        </Box>
      )}
    </>
  );
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
      title={t`Connect your first system`}
      action={
        <CreateLink to="/settings/api-keys/new">
          <Trans>Create an API key</Trans>
        </CreateLink>
      }
    >
      <Trans>
        HR and payroll systems connect to Kontor with an API key, which defines their access. Once you have a
        key, this page shows what needs attention.
      </Trans>
    </Empty>
  );
}

function NothingWaits() {
  return (
    <Group className={shared.surface} p="md" gap="sm" wrap="nowrap">
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
    <Box className={shared.surface} p="md">
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

/** A key and the one that replaces it often have one name, so its last characters follow. */
const KeyLink = ({ id, name, lastFour, tab }: Named & { lastFour: string; tab?: 'errors' }) => (
  <>
    <TextLink to="/settings/api-keys/$id" params={{ id }} search={{ tab }} fw={600}>
      {name}
    </TextLink>{' '}
    <span className={`${shared.hint} ${shared.mono}`}>…{lastFour}</span>
  </>
);

const UserLink = ({ id, name }: Named) => (
  <TextLink to="/settings/users/$id" params={{ id }} fw={600}>
    {name}
  </TextLink>
);

/** An entry that needs attention: the link, and the reason. */
function Waiting({ link, children }: { link: ReactNode; children: ReactNode }) {
  return (
    <Box className={shared.surface} p="md" component="li">
      {link}{' '}
      <Text span c="dimmed">
        {children}
      </Text>
    </Box>
  );
}
