import { Alert, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ordersOfQuery } from '../../api/queries.ts';
import { day } from '../../kit/dates.ts';
import { Fact } from '../../kit/detail/facts.tsx';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { type Incident, type Requirement, useRequirementWords, useSolutionWords } from './words.tsx';
import { useIncidentTypeWords } from '../../kit/hr-words.tsx';

interface Props {
  readonly incident: Incident;
  /** Whether the order is opened from here; a report that is not sent would be left. */
  readonly opensOrder?: boolean;
}

/** The known facts of an incident. */
export function IncidentFacts({ incident, opensOrder = false }: Props) {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  const names = useRequirementWords();
  const solutions = useSolutionWords();
  const { data: orders } = useQuery({
    ...ordersOfQuery(incident.employeeId),
    enabled: incident.orderId !== null,
  });
  const { type, orderId, occurredOn, effectiveFrom, effectiveTo, policeReference, description } = incident;
  const { requestedSolution } = incident;
  const orderNumber = orders?.items.find(({ id }) => id === orderId)?.orderNumber ?? orderId;
  const days = [effectiveFrom, effectiveTo].map(date => date && day(date));
  return (
    <>
      <Fact name={<Trans>Kind of incident</Trans>}>{types[type]}</Fact>
      {orderId && (
        <Fact name={names.orderId}>
          {opensOrder ? (
            <TextLink to="/orders" search={{ order: orderId, all: true }}>
              {orderNumber}
            </TextLink>
          ) : (
            orderNumber
          )}
        </Fact>
      )}
      {occurredOn && occurredOn !== effectiveFrom && <Fact name={names.occurredOn}>{day(occurredOn)}</Fact>}
      {(effectiveFrom ?? effectiveTo) && (
        <Fact name={<Trans>Absence</Trans>}>{`${days[0] ?? '…'} – ${days[1] ?? t`open`}`}</Fact>
      )}
      {policeReference && <Fact name={names.policeReference}>{policeReference}</Fact>}
      {description && <Fact name={names.description}>{description}</Fact>}
      {requestedSolution && (
        <Fact name={<Trans>Requested solution</Trans>}>{solutions[requestedSolution]}</Fact>
      )}
    </>
  );
}

/** The fields that an incident lacks to be complete. */
export function MissingFields({ missing }: { missing: readonly Requirement[] }) {
  const names = useRequirementWords();
  if (missing.length === 0) return null;
  // The first day of an absence is also the day it happened.
  const asked = missing.filter(field => field !== 'occurredOn' || !missing.includes('effectiveFrom'));
  return (
    <Alert variant="outline" color="orange" icon={<Icon name="alert" />}>
      <Text size="sm" fw={600}>
        <Trans>Missing to be complete</Trans>
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
        {asked.map(field => (
          <li key={field}>{names[field]}</li>
        ))}
      </ul>
    </Alert>
  );
}
