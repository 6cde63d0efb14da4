import { Group, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../api/ask.ts';
import { tenantsQuery } from '../api/queries.ts';

export type Key = AnswerOf<'GET /api-keys/{id}'>;

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

/** Most companies that the scope of a key is shown with in a list. */
const mostChips = 3;

/** What a key sees, a chip for each company. */
export function ScopeChips({
  scope,
  all = false,
}: {
  scope: Pick<Key, 'wholeOrganization' | 'grants'>;
  all?: boolean;
}) {
  const { t } = useLingui();
  const { data: tenants } = useQuery(tenantsQuery);
  if (scope.wholeOrganization)
    return (
      <span className="chip">
        <Trans>Whole organization</Trans>
      </span>
    );
  const nameOf = (id: string) => tenants?.items.find(tenant => tenant.id === id)?.name ?? id;
  const shown = all ? scope.grants : scope.grants.slice(0, mostChips);
  const rest = scope.grants.length - shown.length;
  return (
    <Group gap={4}>
      {shown.map(({ tenant, divisions }) => {
        const count = divisions?.length ?? 0;
        return (
          <span key={tenant} className="chip">
            {nameOf(tenant)}
            {divisions && (
              <Text
                span
                c="dimmed"
                inherit
              >{` · ${count === 1 ? t`1 division` : t`${count} divisions`}`}</Text>
            )}
          </span>
        );
      })}
      {rest > 0 && <span className="chip">{t`${rest} more`}</span>}
    </Group>
  );
}

/** How the text of a key begins: all of it that is known once it was made. */
export function beginningOf(id: string): string {
  return `kontor_${id}_…`;
}
