import { SegmentedControl, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { employeesQuery, tenantsQuery, useTenantNames } from '../../api/queries.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import type { Column, FileColumn } from '../../kit/list/data-table.tsx';
import { Email } from '../../kit/email.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import type { RowAction } from '../../kit/list/row-action.ts';
import { useList } from '../../kit/list/use-list.ts';
import { CreateLink } from '../../kit/navigation/link-button.tsx';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';
import { block, BlockEffects, UnblockEffects, useReasonField } from './blocking.tsx';
import { questionOfEmployees } from './search.ts';
import { useFieldWords } from '../../kit/field-words.tsx';
import { type Employee, employeeChanges, EmployeeState } from './words.tsx';
import table from '../../kit/list/table.module.css';

type Row = Employee & { readonly name: string };

/** The employees of the companies that the user does the work of HR for. */
export function EmployeesPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/employees' });
  const list = useList({
    route: 'POST /employees/search',
    search,
    questionOf: questionOfEmployees,
    queryOf: employeesQuery,
  });
  const { total: count } = list;
  const mayChange = useMayChange();
  return (
    <Page
      title={t`Employees`}
      lead={
        mayChange ? (
          <Trans>Find people, and maintain their data.</Trans>
        ) : (
          <Trans>Find people, and see their data.</Trans>
        )
      }
      actions={
        <CreateLink to="/employees/new">
          <Trans>Create employee</Trans>
        </CreateLink>
      }
    >
      <List
        list={list}
        columns={useColumns(search.company !== undefined)}
        actions={useBlocking()}
        exportRoute="POST /employees/export"
        fileColumns={useFileColumns()}
        searchLabel={t`Search by name, email or employee number`}
        narrowing={
          <SegmentedControl
            aria-label={t`Employees to show`}
            value={search.state ?? 'all'}
            onChange={value => list.change({ state: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: t`All` },
              { value: 'active', label: t`Active` },
              { value: 'blocked', label: t`Blocked` },
            ]}
          />
        }
        count={<Plural value={count} one="# employee" other="# employees" />}
        empty={
          list.isNarrowed ? (
            <NoMatch title={t`No matching employees`} showAll={<Trans>Show all employees</Trans>}>
              <Trans>Search for a part of the name, email or employee number, or change the filter.</Trans>
            </NoMatch>
          ) : (
            <Empty icon="users" title={t`No employees yet`}>
              <Trans>Create the first one, or have a system add them through the API.</Trans>
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** Blocks and unblocks employees. */
function useBlocking(): RowAction<Row>[] {
  const { t } = useLingui();
  const text = useReasonField();
  return [
    {
      label: t`Block`,
      applies: ({ blocked }) => !blocked,
      text,
      consequences: <BlockEffects />,
      changes: employeeChanges,
      act: ({ id }, reason) => block(id, true, reason),
    },
    {
      label: t`Unblock`,
      applies: ({ blocked }) => blocked,
      text,
      consequences: <UnblockEffects />,
      changes: employeeChanges,
      act: ({ id }, reason) => block(id, false, reason),
    },
  ];
}

function useColumns(isOfCompany: boolean): Column<Row>[] {
  const { t } = useLingui();
  const words = useFieldWords();
  const tenantName = useTenantNames();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  const ofCompany: Column<Row> = {
    label: words.tenant,
    field: 'tenant',
    file: [],
    isExtra: true,
    cell: ({ tenant }) => (tenant === null ? null : (tenantName(tenant) ?? tenant)),
  };
  return [
    {
      label: t`Name`,
      field: 'lastName',
      file: (['lastName', 'firstName', 'employeeNumber'] as const).map(field => ({
        field,
        label: words[field],
      })),
      cell: ({ id, name, email, employeeNumber }) => (
        <>
          <Link to="/employees/$id" params={{ id }} className={table.rowLink}>
            {name === email ? <Email address={email} /> : name}
          </Link>
          <Text size="xs" c="dimmed">
            {employeeNumber}
          </Text>
        </>
      ),
    },
    {
      label: words.email,
      field: 'email',
      cell: ({ email }) => <Email address={email} />,
    },
    ...(isOfCompany || companies.length < 2 ? [] : [ofCompany]),
    {
      label: t`Status`,
      field: 'blocked',
      words: { true: t`Blocked`, false: t`Active` },
      cell: employee => <EmployeeState {...employee} />,
    },
    {
      label: t`Created`,
      field: 'createdAt',
      isExtra: true,
      cell: ({ createdAt }) => <When at={createdAt} />,
    },
  ];
}

/** More fields of the page of a person. */
function useFileColumns(): FileColumn[] {
  const words = useFieldWords();
  const fields = ['privateEmail', 'phoneNumber', 'street', 'postalCode', 'city', 'countryCode'] as const;
  return [
    { field: 'tenantName', label: words.tenant },
    { field: 'divisionPath', label: words.divisionId },
    ...[...fields, 'additionalInfo' as const, 'updatedAt' as const].map(field => ({
      field,
      label: words[field],
    })),
  ];
}
