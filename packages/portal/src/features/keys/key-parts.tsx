import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { useTenantNames } from '../../api/queries.ts';
import { Chip } from '../../kit/chip.tsx';
import { Icon } from '../../kit/icon.tsx';
import { When } from '../../kit/when.tsx';

export type Key = AnswerOf<'GET /api-keys/{id}'>;
export type KeyHealth = AnswerOf<'GET /api-keys/{id}/health'>;

/** The queries to invalidate after a change of a key. */
export const keyChanges = [['keys']];

/** The words for what a key can be. */
function useStatusWords(): Record<Key['status'], string> {
  const { t } = useLingui();
  return { active: t`Active`, inactive: t`Inactive`, expired: t`Expired`, deleted: t`Deleted` };
}

export function Status({ status }: { status: Key['status'] }) {
  const words = useStatusWords();
  return (
    <span className="status" data-status={status}>
      {words[status]}
    </span>
  );
}

/** Whether the system that uses a key is active, as far as that is known. A key that does not work has no such state. */
export function Life({ shown }: { shown: Pick<Key, 'status' | 'noRecentActivitySince' | 'lastSuccessAt'> }) {
  const { status, noRecentActivitySince, lastSuccessAt } = shown;
  if (noRecentActivitySince)
    return (
      <span className="badge" data-kind="silent">
        <Icon name="alert" size={14} />
        <span>
          {lastSuccessAt === null ? (
            <Trans>Silent, no success is known</Trans>
          ) : (
            <Trans>
              Silent, last success <When at={lastSuccessAt} />
            </Trans>
          )}
        </span>
      </span>
    );
  if (status !== 'active' || lastSuccessAt === null) return null;
  return (
    <span className="badge" data-kind="lives">
      <Icon name="check" size={14} />
      <Trans>Works</Trans>
    </span>
  );
}

/** Most companies that the scope of a key is shown with in a list. */
const maxChips = 3;

/** The scope of a key, with a chip for each company. */
export function ScopeChips({
  scope,
  all = false,
}: {
  scope: Pick<Key, 'wholeOrganization' | 'grants'>;
  all?: boolean;
}) {
  const { t } = useLingui();
  const nameOf = useTenantNames();
  if (scope.wholeOrganization)
    return (
      <Chip>
        <Trans>Whole organization</Trans>
      </Chip>
    );
  const shown = all ? scope.grants : scope.grants.slice(0, maxChips);
  const rest = scope.grants.length - shown.length;
  return (
    <div className="chips">
      {shown.map(({ tenant, divisions }) => {
        const count = divisions?.length ?? 0;
        return (
          <Chip key={tenant}>
            {nameOf(tenant) ?? tenant}
            {divisions && (
              <span className="aside">
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
