import { Alert, Stack, Text } from '@mantine/core';
import { Plural, Trans } from '@lingui/react/macro';
import { useTenantWords } from '../../api/queries.ts';
import { day, moment } from '../../kit/dates.ts';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { ChangeTimeline } from '../../kit/detail/timeline.tsx';
import { FilePreview } from '../../kit/form/file-preview.tsx';
import { modelsOf, OrderState } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { money } from '../../kit/numbers.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { PanelSection } from '../../kit/overlay/side-panel.tsx';
import { RunningContracts } from '../../kit/pay/running-contracts.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { DivisionPath } from '../../kit/tree/division-path.tsx';
import { ContractSection } from './contract.tsx';
import { type Order, type OrderDetails, useChangeWords, useDocumentWords } from './words.tsx';

/** All that a decision needs: the person, the products, the effect on the pay, the documents. */
export function OrderView({ details }: { details: OrderDetails }) {
  const { order, employee, history } = details;
  const changes = useChangeWords();
  const companies = useTenantWords();
  return (
    <Stack gap="lg">
      <Facts>
        <Fact name={<Trans>Status</Trans>}>
          <OrderState status={order.status} />
        </Fact>
        <Fact name={<Trans>Person</Trans>}>
          {employee ? (
            <TextLink to="/employees/$id" params={{ id: employee.id }}>
              {nameOfPerson(employee)}
            </TextLink>
          ) : (
            <Trans>The data of this person were erased.</Trans>
          )}
        </Fact>
        {employee?.employeeNumber && (
          <Fact name={<Trans>Employee number</Trans>}>{employee.employeeNumber}</Fact>
        )}
        {employee?.tenant && Object.keys(companies).length > 1 && (
          <Fact name={<Trans>Company</Trans>}>{companies[employee.tenant]}</Fact>
        )}
        {employee?.tenant && employee.divisionId && (
          <Fact name={<Trans>Division</Trans>}>
            <DivisionPath id={employee.divisionId} company={employee.tenant} />
          </Fact>
        )}
        {employee?.email && <Fact name={<Trans>Email</Trans>}>{employee.email}</Fact>}
        <Fact name={<Trans>Order number</Trans>}>{order.orderNumber}</Fact>
        <Fact name={<Trans>Submitted</Trans>}>{moment(order.submittedAt)}</Fact>
      </Facts>
      {employee?.blocked && order.status === 'under_review' && (
        <Alert variant="outline" color="orange" icon={<Icon name="lock" />}>
          <Trans>This person is blocked. The order can only be rejected.</Trans>
        </Alert>
      )}
      <PanelSection title={<Trans>Products</Trans>}>
        <Products order={order} />
      </PanelSection>
      <PanelSection title={<Trans>Effect on pay</Trans>}>
        {order.contract ? <Pay contract={order.contract} /> : <Trans>There is no contract yet.</Trans>}
      </PanelSection>
      {employee && isAhead(order) && (
        <PanelSection title={<Trans>Running bikes of the person</Trans>}>
          <RunningContracts employee={employee.id} besides={order} />
        </PanelSection>
      )}
      <ContractSection details={details} />
      <PanelSection title={<Trans>Documents</Trans>}>
        <Documents order={order} />
      </PanelSection>
      {history.length > 0 && (
        <PanelSection title={<Trans>History</Trans>}>
          <ChangeTimeline changes={history} words={changes} />
        </PanelSection>
      )}
    </Stack>
  );
}

/** Whether the contract of an order may still begin. */
function isAhead({ status }: Order): boolean {
  return ['under_review', 'approved', 'ready_for_pickup'].includes(status);
}

function Products({ order }: { order: Order }) {
  const currency = order.contract?.currency ?? 'EUR';
  return (
    <Facts>
      {order.products.map((product, index) => (
        <Fact key={index} name={product.articleGroupName ?? <Trans>Product</Trans>}>
          {modelsOf({ products: [product] })}
          <Text size="sm" c="dimmed">
            <Trans>{money(product.grossAmount, currency)} incl. VAT</Trans>
          </Text>
        </Fact>
      ))}
    </Facts>
  );
}

/** The amounts of the contract as they are stored: what payroll will export. */
function Pay({ contract }: { contract: NonNullable<Order['contract']> }) {
  const amount = (value: string) => money(value, contract.currency);
  return (
    <>
      <Text size="sm" mb="xs">
        <Trans>
          The salary conversion reduces the gross pay by {amount(contract.salaryConversion)} a month. A
          benefit of {amount(contract.taxableBenefit)} a month is taxed.
        </Trans>
      </Text>
      <PayFacts contract={contract} />
    </>
  );
}

function PayFacts({ contract }: { contract: NonNullable<Order['contract']> }) {
  const amount = (value: string) => money(value, contract.currency);
  return (
    <Facts>
      <Fact name={<Trans>Employer’s share of the leasing rate</Trans>}>
        <Trans>
          {amount(contract.leasingRateSubsidy)} of {amount(contract.leasingRate)}
        </Trans>
      </Fact>
      <Fact name={<Trans>Employer’s share of the insurance</Trans>}>
        <Trans>
          {amount(contract.insuranceRateSubsidy)} of {amount(contract.insuranceRate)}
        </Trans>
      </Fact>
      <Fact name={<Trans>Employer’s share of the service</Trans>}>
        <Trans>
          {amount(contract.serviceRateSubsidy)} of {amount(contract.serviceRate)}
        </Trans>
      </Fact>
      <Fact name={<Trans>List price</Trans>}>
        <Trans>{amount(contract.listPrice)} incl. VAT</Trans>
      </Fact>
      <Fact name={<Trans>Term</Trans>}>
        <Plural value={contract.termMonths} one="# month" other="# months" />
        {contract.startDate && contract.endDate && (
          <Text size="sm" c="dimmed">
            {day(contract.startDate)} – {day(contract.endDate)}
          </Text>
        )}
      </Fact>
    </Facts>
  );
}

function Documents({ order }: { order: Order }) {
  const kinds = useDocumentWords();
  if (order.attachments.length === 0) return <Trans>There are no documents.</Trans>;
  return (
    <Stack gap="sm">
      {order.attachments.map(file => (
        <FilePreview
          key={file.id}
          file={file}
          kind={kinds[file.kind]}
          address={`/portal/api/orders/${order.id}/attachments/${file.id}`}
        />
      ))}
    </Stack>
  );
}
