import { Group } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { identityQuery, useTenantNames } from '../../api/queries.ts';
import { usePermissionWords } from '../../kit/permission-words.tsx';
import { Chip, Status } from '../../kit/status.tsx';

export type User = AnswerOf<'GET /users/{id}'>;

/** The queries to invalidate after a change of a user, who may be the one signed in. */
export const userChanges = [['users'], identityQuery.queryKey];

/** The words for what a user can be. */
export function useStatusWords(): Record<User['status'], string> {
  const { t } = useLingui();
  return { active: t`Active`, inactive: t`Inactive`, invited: t`Invited` };
}

export function UserStatus({ status }: { status: User['status'] }) {
  const words = useStatusWords();
  return <Status status={status}>{words[status]}</Status>;
}

/** Permissions of a user, a chip for each. */
export function PermissionChips({ user }: { user: Pick<User, 'permissions' | 'hrTenants'> }) {
  const { t } = useLingui();
  const words = usePermissionWords();
  const nameOf = useTenantNames();
  const { permissions, hrTenants } = user;
  const companies = hrTenants?.length ?? 0;
  const ofHr =
    hrTenants === null
      ? t`all companies`
      : companies === 1
        ? (nameOf(hrTenants[0]!) ?? hrTenants[0]!)
        : plural(companies, { one: '# company', other: '# companies' });
  return (
    <Group gap={4}>
      {permissions.map(permission => (
        <Chip key={permission}>
          {permission === 'HR' || permission === 'AUDIT'
            ? `${words[permission].name} · ${ofHr}`
            : words[permission].name}
        </Chip>
      ))}
    </Group>
  );
}
