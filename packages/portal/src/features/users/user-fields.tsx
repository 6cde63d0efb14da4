import type { PortalPermission } from '@kontor/contract';
import { Checkbox, Radio, Select, Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { tenantsQuery } from '../../api/queries.ts';
import { languages } from '../../i18n.ts';
import { CompanyChoices } from '../../kit/form/company-choices.tsx';
import { rules } from '../../kit/help/guides.ts';
import { GuideLink } from '../../kit/help/help.tsx';
import { usePermissionWords } from '../../kit/permission-words.tsx';
import type { User } from './user-parts.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

/** Form values of a user; `hrTenants` is null for all companies. */
export type Entry = Pick<User, 'name' | 'language' | 'permissions' | 'hrTenants'>;

/** Validation messages, by field. */
export type Missing = { readonly [Field in keyof Entry]?: ReactNode };

interface Props {
  readonly entry: Entry;
  readonly change: (changed: Partial<Entry>) => void;
  readonly missing: Missing;
  /** Permissions that the user has and cannot give up. */
  readonly fixed?: readonly PortalPermission[];
}

/** Name and permissions of a user. */
export function UserFields({ entry, change, missing, fixed = [] }: Props) {
  const { t } = useLingui();
  const words = usePermissionWords();
  const { name, language, permissions } = entry;
  const lacksHr = (permission: PortalPermission) => isOfPayroll(permission) && !permissions.includes('HR');
  return (
    <>
      <TextField
        name="name"
        label={t`Name`}
        limit={200}
        required
        value={name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={missing.name}
        autoComplete="off"
      />
      <Select
        label={t`Language`}
        description={t`Language of mails, and of the portal until the user chooses another one`}
        value={language}
        allowDeselect={false}
        onChange={value => change({ language: value as Entry['language'] })}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        maw={320}
      />
      <Checkbox.Group
        label={t`Permissions`}
        description={
          <GuideLink guide={rules.permissions}>
            <Trans>What each permission allows</Trans>
          </GuideLink>
        }
        value={permissions}
        onChange={chosen =>
          change({
            permissions: chosen.includes('HR') ? chosen : chosen.filter(name => !isOfPayroll(name)),
            ...(givesHr(entry, chosen) && { hrTenants: [] }),
          })
        }
        error={missing.permissions}
        errorProps={{ mt: 'xs' }}
      >
        <Stack gap="sm" mt="xs">
          {(Object.keys(words) as PortalPermission[]).map(permission => (
            <Checkbox
              key={permission}
              pl={isOfPayroll(permission) ? 'xl' : 0}
              name="permissions"
              value={permission}
              label={words[permission].name}
              description={
                fixed.includes(permission)
                  ? t`Only another company admin can remove this permission from you`
                  : lacksHr(permission)
                    ? t`Only together with the permission HR`
                    : words[permission].use
              }
              disabled={fixed.includes(permission) || lacksHr(permission)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {isOfCompanies(permissions) && <Companies entry={entry} change={change} missing={missing} />}
    </>
  );
}

/** The companies that the permissions HR and AUDIT are for. */
function Companies({ entry, change, missing: { hrTenants: error } }: Omit<Props, 'fixed'>) {
  const { t } = useLingui();
  const answer = useAnswer(tenantsQuery);
  const { hrTenants, permissions } = entry;
  return (
    <Stack gap="xs">
      <Radio.Group
        label={permissions.includes('AUDIT') ? t`Companies of HR and audit` : t`HR for`}
        value={hrTenants === null ? 'all' : 'some'}
        onChange={value => change({ hrTenants: value === 'all' ? null : [] })}
        error={error}
        errorProps={{ mt: 'xs' }}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="all"
            label={t`All companies`}
            description={t`Includes companies that are created later`}
          />
          <Radio value="some" label={t`Some companies`} />
        </Stack>
      </Radio.Group>
      {hrTenants !== null && (
        <Checkbox.Group
          aria-label={t`Companies`}
          value={hrTenants}
          onChange={chosen => change({ hrTenants: chosen })}
        >
          <Stack gap="xs" pl="md">
            <CompanyChoices answer={answer}>
              {({ id, name }) => <Checkbox key={id} name="hrTenants" value={id} label={name} />}
            </CompanyChoices>
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

/** Says what an entry lacks. */
export function useMissing() {
  const { t } = useLingui();
  return ({ name, permissions, hrTenants }: Entry) => ({
    name: name.trim() === '' && t`Enter a name`,
    permissions: permissions.length === 0 && t`Choose at least one.`,
    hrTenants: isOfCompanies(permissions) && hrTenants?.length === 0 && t`Choose at least one company.`,
  });
}

/** Whether a permission is for the companies of HR, and only beside it. */
function isOfPayroll(permission: PortalPermission): boolean {
  return permission === 'PAYROLL_RUN' || permission === 'PAYROLL_RELEASE';
}

/** Whether there is a permission for some companies. */
function isOfCompanies(permissions: readonly PortalPermission[]): boolean {
  return permissions.includes('HR') || permissions.includes('AUDIT');
}

/** Whether HR or AUDIT is chosen by this. Which companies it is for is chosen then, and not all of them unasked. */
function givesHr({ permissions }: Entry, chosen: readonly PortalPermission[]): boolean {
  return (['HR', 'AUDIT'] as const).some(name => chosen.includes(name) && !permissions.includes(name));
}

/** The form values in the form of the API. */
export function sentOf({
  name,
  language,
  permissions,
  hrTenants,
}: Entry): Partial<Entry> & Omit<Entry, 'hrTenants'> {
  const ofHr = isOfCompanies(permissions) ? { hrTenants } : {};
  return { name: name.trim(), language, permissions, ...ofHr };
}

/** The same of a user that there is: only what was changed, since others may have changed the rest meanwhile. */
export function changesOf(user: Entry, changed: Partial<Entry>): Partial<Entry> {
  const whole = sentOf({ ...user, ...changed });
  const names = Object.keys(whole) as (keyof Entry)[];
  return Object.fromEntries(names.filter(name => name in changed).map(name => [name, whole[name]]));
}
