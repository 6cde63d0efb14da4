import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { incidentsOfQuery, ordersOfQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import {
  IncidentState,
  leaveTypes,
  modelsOf,
  OrderState,
  useIncidentTypeWords,
} from '../../kit/hr-words.tsx';
import { type Column, DataTable } from '../../kit/list/data-table.tsx';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { When } from '../../kit/when.tsx';
import type { EmployeeDetails } from './words.tsx';
import table from '../../kit/list/table.module.css';

type Order = AnswerOf<'POST /orders/search'>['items'][number];
type Incident = AnswerOf<'POST /incidents/search'>['items'][number];

/** The orders of an employee, with links to the list of orders. */
export function Orders({ id }: { id: string }) {
  const { t } = useLingui();
  const columns = useOrderColumns();
  return (
    <Section title={t`Orders`}>
      <Answered answer={useAnswer(ordersOfQuery(id))} height={220}>
        {({ items, totalElements }) => (
          <Rows rows={items} total={totalElements} columns={columns}>
            <Trans>This person has no orders.</Trans>
          </Rows>
        )}
      </Answered>
    </Section>
  );
}

/** The incidents of an employee, with links to the list of incidents, and to a report. */
export function Incidents({ details: { employee, activatedAt } }: { details: EmployeeDetails }) {
  const { t } = useLingui();
  const { id, blocked } = employee;
  const columns = useIncidentColumns();
  const isPossible = activatedAt !== null && !blocked;
  return (
    <Section
      title={t`Incidents`}
      aside={
        isPossible && (
          <LinkButton to="/incidents/new" search={{ employee: id }} variant="default">
            <Trans>Report an incident</Trans>
          </LinkButton>
        )
      }
    >
      {!isPossible && (
        <Text size="sm" c="dimmed" mb="md">
          {blocked ? (
            <Trans>A blocked person gets no new incidents.</Trans>
          ) : (
            <Trans>Incidents can be reported once the person is activated.</Trans>
          )}
        </Text>
      )}
      <Answered answer={useAnswer(incidentsOfQuery(id))} height={220}>
        {({ items, totalElements }) => (
          <Rows rows={items} total={totalElements} columns={columns}>
            <Trans>This person has no incidents.</Trans>
          </Rows>
        )}
      </Answered>
    </Section>
  );
}

/** The leaves of a person with their days; none are shown of a person without one. */
export function Leaves({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useAnswer(incidentsOfQuery(id));
  const columns = useLeaveColumns();
  const leaves =
    data?.items.filter(({ type, status }) => leaveTypes.includes(type) && status !== 'cancelled') ?? [];
  if (leaves.length === 0) return null;
  return (
    <Section title={t`Leaves`}>
      <DataTable rows={leaves} columns={columns} nameOf={({ incidentNumber }) => incidentNumber} />
    </Section>
  );
}

function useLeaveColumns(): Column<Incident>[] {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  return [
    {
      label: t`Leave`,
      cell: ({ id, type }) => (
        <Link to="/incidents" search={{ all: true, incident: id }} className={table.rowLink}>
          {types[type]}
        </Link>
      ),
    },
    { label: t`First day`, cell: ({ effectiveFrom }) => (effectiveFrom === null ? '–' : day(effectiveFrom)) },
    { label: t`Last day`, cell: ({ effectiveTo }) => (effectiveTo === null ? t`open` : day(effectiveTo)) },
    { label: t`Status`, cell: ({ status }) => <IncidentState status={status} /> },
  ];
}

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly columns: readonly Column<Row>[];
  /** Content without rows. */
  readonly children: ReactNode;
}

function Rows<Row extends { readonly id: string }>({ rows, total, columns, children }: RowsProps<Row>) {
  const shown = rows.length;
  if (shown === 0) return children;
  return (
    <>
      <DataTable rows={rows} columns={columns} />
      {total > shown && (
        <Text size="sm" c="dimmed" mt="xs">
          <Trans>
            The newest {shown} of {total}
          </Trans>
        </Text>
      )}
    </>
  );
}

function useOrderColumns(): Column<Order>[] {
  const { t } = useLingui();
  return [
    {
      label: t`Order number`,
      cell: ({ id, orderNumber }) => (
        <Link to="/orders" search={{ all: true, order: id }} className={table.rowLink}>
          {orderNumber}
        </Link>
      ),
    },
    { label: t`Products`, cell: order => modelsOf(order) },
    { label: t`Submitted`, cell: ({ submittedAt }) => <When at={submittedAt} /> },
    { label: t`Status`, cell: ({ status }) => <OrderState status={status} /> },
  ];
}

function useIncidentColumns(): Column<Incident>[] {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  return [
    {
      label: t`Incident`,
      cell: ({ id, incidentNumber }) => (
        <Link to="/incidents" search={{ all: true, incident: id }} className={table.rowLink}>
          {incidentNumber}
        </Link>
      ),
    },
    { label: t`Kind of incident`, cell: ({ type }) => types[type] },
    { label: t`Reported`, cell: ({ createdAt }) => <When at={createdAt} /> },
    { label: t`Status`, cell: ({ status }) => <IncidentState status={status} /> },
  ];
}
