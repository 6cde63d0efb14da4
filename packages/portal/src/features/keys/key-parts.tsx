import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/ask.ts';
import { organizationSettingsQuery, useTenantNames } from '../../api/queries.ts';
import { Chip, Status } from '../../kit/status.tsx';
import { When } from '../../kit/when.tsx';
import shared from '../../kit/shared.module.css';

export type Key = AnswerOf<'GET /api-keys/{id}'>;
export type KeyHealth = AnswerOf<'GET /api-keys/{id}/health'>;

/** The queries to invalidate after a change of a key. */
export const keyChanges = [['keys']];

/** The words for the health states of a key. */
export function useHealthWords(): Record<Key['health'], string> {
  const { t } = useLingui();
  return {
    active: t`Active`,
    failing: t`Failing`,
    no_recent_activity: t`No recent activity`,
    being_replaced: t`Being replaced`,
    never_used: t`Never used`,
    inactive: t`Inactive`,
    expired: t`Expired`,
    deleted: t`Deleted`,
  };
}

type Healthy = Pick<Key, 'health' | 'lastSuccessAt' | 'lastUsedAt'>;

/** The one health state of a key, with the instant that matters for it. */
export function HealthState({ shown }: { shown: Healthy }) {
  const words = useHealthWords();
  return (
    <div>
      <Status status={shown.health}>{words[shown.health]}</Status>
      <HealthDetail {...shown} />
    </div>
  );
}

function HealthDetail({ health, lastSuccessAt, lastUsedAt }: Healthy) {
  if (health === 'being_replaced')
    return (
      <div className={shared.hint}>
        {lastUsedAt === null ? (
          <Trans>never used</Trans>
        ) : (
          <Trans>
            used <When at={lastUsedAt} />
          </Trans>
        )}
      </div>
    );
  if (health !== 'failing' && health !== 'no_recent_activity') return null;
  return (
    <div className={shared.hint}>
      {lastSuccessAt === null ? (
        <Trans>no success is known</Trans>
      ) : (
        <Trans>
          last success <When at={lastSuccessAt} />
        </Trans>
      )}
    </div>
  );
}

/** Most companies that the scope of a key is shown with in a list. */
const maxChips = 3;

/** The scope of a key, with a chip for each company. */
export function ScopeChips({ scope }: { scope: Pick<Key, 'wholeOrganization' | 'grants'> }) {
  const { t } = useLingui();
  const nameOf = useTenantNames();
  if (scope.wholeOrganization)
    return (
      <Chip>
        <Trans>Whole organization</Trans>
      </Chip>
    );
  const shown = scope.grants.slice(0, maxChips);
  const rest = scope.grants.length - shown.length;
  return (
    <div className={shared.chips}>
      {shown.map(({ tenant, divisions }) => {
        const count = divisions?.length ?? 0;
        return (
          <Chip key={tenant}>
            {nameOf(tenant) ?? tenant}
            {divisions && (
              <span className={shared.aside}>
                {' · '}
                <Plural value={count} one="# division" other="# divisions" />
              </span>
            )}
          </Chip>
        );
      })}
      {rest > 0 && <Chip>{t`${rest} more`}</Chip>}
    </div>
  );
}

/** The name of the user who created a key; for a command, of those who run commands. */
export function Maker({ name }: { name: string }) {
  return name === 'operator' ? <Trans>the operator</Trans> : name;
}

/** How the text of a key begins and ends: it is not stored as a whole. */
export function textOf({ id, lastFour }: Pick<Key, 'id' | 'lastFour'>): string {
  return `kontor_${id}_…${lastFour}`;
}

/** Days after which a key expires. */
const presets = [30, 90, 365];

/** The lifetimes of a new key in days that the organization allows; `0`: it does not expire. */
export function useLifetimes() {
  const { t } = useLingui();
  const { data } = useQuery(organizationSettingsQuery);
  const max = data?.maxKeyDays ?? null;
  const suggested = data?.defaultKeyDays ?? 365;
  const days = [...new Set([...presets, suggested, ...(max === null ? [] : [max])])]
    .filter(count => max === null || count <= max)
    .sort((a, b) => a - b);
  const choices = days.map(count => ({
    value: String(count),
    label: count === 365 ? t`In a year` : t`${plural(count, { one: 'In # day', other: 'In # days' })}`,
  }));
  return {
    choices: max === null ? [...choices, { value: '0', label: t`Never` }] : choices,
    suggested: String(suggested),
    max,
  };
}
