import { Box, Checkbox, Radio, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf, RequestOf } from '../api/ask.ts';
import { tenantsQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { DivisionTree } from './division-tree.tsx';

/** What a key shall see: of a company all, or the divisions with what is below them. */
export interface Chosen {
  readonly whole: boolean;
  readonly tenants: ReadonlyMap<string, 'all' | ReadonlySet<string>>;
}

type Grants = NonNullable<RequestOf<'POST /api-keys'>['body']['grants']>;

/** What was chosen, as the API takes it; companies of which no division is chosen yet are left out. */
export function grantsOf({ tenants }: Chosen): Grants {
  return [...tenants].flatMap(([tenant, divisions]): Grants => {
    if (divisions === 'all') return [{ tenant, divisions: null }];
    return divisions.size === 0 ? [] : [{ tenant, divisions: [...divisions] }];
  });
}

interface Props {
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
  readonly seesAll: boolean;
  readonly error?: string | undefined;
}

export function ScopeChoice({ chosen, choose, seesAll, error }: Props) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Radio.Group
        label={t`What the key sees`}
        description={t`The less a key sees, the less can be lost with it`}
        value={chosen.whole ? 'whole' : 'some'}
        onChange={value => choose({ ...chosen, whole: value === 'whole' })}
        error={error}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="some" label={t`Some companies or divisions`} />
          <Radio
            value="whole"
            disabled={!seesAll}
            label={t`The whole organization`}
            description={t`Companies that are created later, too`}
          />
        </Stack>
      </Radio.Group>
      {!chosen.whole && <Companies chosen={chosen} choose={choose} />}
      <Summary chosen={chosen} />
    </Stack>
  );
}

function Companies({ chosen, choose }: Pick<Props, 'chosen' | 'choose'>) {
  const { t } = useLingui();
  const { data, error } = useQuery(tenantsQuery);
  if (error) return <Failure error={error} />;
  if (!data) return <Skeleton height={80} />;
  const set = (id: string, divisions: 'all' | ReadonlySet<string> | null) => {
    const tenants = new Map(chosen.tenants);
    if (divisions === null) tenants.delete(id);
    else tenants.set(id, divisions);
    choose({ ...chosen, tenants });
  };
  return (
    <Stack gap="xs" role="group" aria-label={t`Companies`}>
      {data.items.map(tenant => (
        <Company key={tenant.id} tenant={tenant} divisions={chosen.tenants.get(tenant.id)} set={set} />
      ))}
    </Stack>
  );
}

type Tenant = AnswerOf<'GET /tenants'>['items'][number];

function Company({
  tenant: { id, name },
  divisions,
  set,
}: {
  tenant: Tenant;
  divisions: 'all' | ReadonlySet<string> | undefined;
  set: (id: string, divisions: 'all' | ReadonlySet<string> | null) => void;
}) {
  const { t } = useLingui();
  return (
    <Box p="sm" style={{ border: '1px solid var(--kontor-line)', borderRadius: 'var(--mantine-radius-md)' }}>
      <Checkbox
        label={name}
        checked={divisions !== undefined}
        onChange={({ currentTarget }) => set(id, currentTarget.checked ? 'all' : null)}
      />
      {divisions !== undefined && (
        <Stack gap="sm" mt="sm">
          <SegmentedControl
            size="xs"
            aria-label={t`Divisions of ${name}`}
            value={divisions === 'all' ? 'all' : 'some'}
            onChange={value => set(id, value === 'all' ? 'all' : new Set())}
            data={[
              { value: 'all', label: t`The whole company` },
              { value: 'some', label: t`Some divisions` },
            ]}
            style={{ alignSelf: 'flex-start' }}
          />
          {divisions !== 'all' && (
            <DivisionTree tenant={id} chosen={divisions} choose={chosen => set(id, chosen)} name={name} />
          )}
        </Stack>
      )}
    </Box>
  );
}

/** What the key will see, in numbers, before it is made. */
function Summary({ chosen }: { chosen: Chosen }) {
  const { data } = useQuery(tenantsQuery);
  const grants = grantsOf(chosen);
  const all = data?.totalElements ?? 0;
  const companies = grants.filter(({ divisions }) => divisions === null).length;
  const divisions = grants.reduce((sum, grant) => sum + (grant.divisions?.length ?? 0), 0);
  return (
    <Text size="sm" c="dimmed" role="status">
      {chosen.whole ? (
        <Trans>The key sees all {all} companies with everything in them.</Trans>
      ) : grants.length === 0 ? (
        <Trans>The key sees nothing yet.</Trans>
      ) : (
        <Trans>
          Whole companies: {companies}. Chosen divisions, each with all below it: {divisions}.
        </Trans>
      )}
    </Text>
  );
}
