import { NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { type PublicRequest, publicApi } from '../../api/requests.ts';
import type { Key } from './key-parts.tsx';
import shared from '../../kit/shared.module.css';

type Permissions = Key['permissions'];
type Permission = NonNullable<Permissions>[number];
type Resource = PublicRequest['resource'];

/** The purpose of a new key. */
export interface Purpose {
  readonly kind: 'everything' | 'reading' | 'types';
  readonly types: Readonly<Partial<Record<Resource, Permission>>>;
}

export const everything: Purpose = { kind: 'everything', types: {} };

/** The purpose in the form of the API. */
export function permissionsOf({ kind, types }: Purpose): Permission[] | null {
  if (kind === 'everything') return null;
  return kind === 'reading' ? ['read'] : Object.values(types);
}

/** Whether a key may send a request. */
export function mayRequest(permissions: Permissions, { allowedBy }: PublicRequest): boolean {
  return permissions === null || permissions.some(permission => allowedBy.includes(permission));
}

/** Whether a key may read a type of data. */
export function mayRead(permissions: Permissions, resource: Resource): boolean {
  return publicApi.requests.some(
    one => one.resource === resource && one.method === 'GET' && mayRequest(permissions, one),
  );
}

/** The words for the resource types of the public API. */
export function useResourceWords(): Readonly<Record<Resource, string>> {
  const { t } = useLingui();
  return {
    employees: t`Employees`,
    divisions: t`Divisions`,
    orders: t`Orders`,
    incidents: t`Incidents`,
    'payroll-export-documents': t`Payroll documents`,
  };
}

interface ChoiceProps {
  readonly chosen: Purpose;
  readonly choose: (chosen: Purpose) => void;
  readonly error?: ReactNode;
}

export function PurposeChoice({ chosen, choose, error }: ChoiceProps) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Radio.Group
        name="purpose"
        label={t`What is it for?`}
        description={t`This cannot be changed later`}
        value={chosen.kind}
        onChange={kind => choose({ ...chosen, kind })}
        error={error}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="everything"
            label={t`Everything`}
            description={t`The system reads and changes all types of data`}
          />
          <Radio value="reading" label={t`Only reading`} description={t`The system changes nothing`} />
          <Radio
            value="types"
            label={t`Some types of data`}
            description={t`Such as reading employees, or fetching payroll documents`}
          />
        </Stack>
      </Radio.Group>
      {chosen.kind === 'types' && <Types chosen={chosen} choose={choose} />}
    </Stack>
  );
}

function Types({ chosen, choose }: Pick<ChoiceProps, 'chosen' | 'choose'>) {
  const { t } = useLingui();
  const words = useResourceWords();
  const set = (resource: Resource, right: string) => {
    const { [resource]: _before, ...others } = chosen.types;
    const types = right === '' ? others : { ...others, [resource]: `${resource}:${right}` };
    choose({ ...chosen, types });
  };
  return (
    <Stack gap="sm" role="group" aria-label={t`Types of data`}>
      {(Object.keys(words) as Resource[]).map(resource => {
        const isChangeable = publicApi.requests.some(
          one => one.resource === resource && one.method !== 'GET',
        );
        return (
          <NativeSelect
            key={resource}
            label={words[resource]}
            maw={320}
            value={chosen.types[resource]?.split(':')[1] ?? ''}
            onChange={({ currentTarget }) => set(resource, currentTarget.value)}
            data={[
              { value: '', label: t`No access` },
              { value: 'read', label: t`Read` },
              ...(isChangeable ? [{ value: 'write', label: t`Read and change` }] : []),
            ]}
          />
        );
      })}
    </Stack>
  );
}

/** The purpose of a key in words. */
export function PurposeWords({ permissions }: { permissions: Permissions }) {
  const { t } = useLingui();
  const words = useResourceWords();
  if (permissions === null) return <Trans>Everything: it may read and change all types of data</Trans>;
  if (permissions.includes('read')) return <Trans>Only reading: it changes nothing</Trans>;
  return permissions
    .map(permission => {
      const [resource, right] = permission.split(':') as [Resource, string];
      return `${words[resource]}: ${right === 'write' ? t`read and change` : t`read`}`;
    })
    .join(' · ');
}

/** For the list of keys: nothing for one that may do everything. */
export function PurposeHint({ permissions }: { permissions: Permissions }) {
  if (permissions === null) return null;
  return (
    <Text component="div" className={shared.hint}>
      <PurposeWords permissions={permissions} />
    </Text>
  );
}
