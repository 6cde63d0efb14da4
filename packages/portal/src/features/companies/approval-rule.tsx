import { Button, Group, SimpleGrid, Text, type TextInputProps } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask, Rejection } from '../../api/ask.ts';
import { decisionRuleQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure, isUnavailable } from '../../kit/failure.tsx';
import { DecimalField } from '../../kit/form/decimal-field.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { useAction, useAttempt } from '../../kit/form/use-action.ts';
import { type Column, DataTable } from '../../kit/list/data-table.tsx';
import { isDecimal, money } from '../../kit/numbers.ts';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { When } from '../../kit/when.tsx';
import { LimitedForm, NumberField } from '../../kit/form/limited-fields.tsx';

type Rule = AnswerOf<'GET /tenants/{id}/decision-rule'>;

/** The rule by which orders of a company are decided automatically. */
export function ApprovalRule({ company }: { company: string }) {
  const answer = useAnswer(decisionRuleQuery(company));
  // The rule that was removed is still in the cache.
  if (isUnavailable(answer.error)) return <RuleForm key="none" company={company} rule={null} />;
  return (
    <Answered answer={answer} height={300}>
      {rule => <RuleForm key={rule.version} company={company} rule={rule} />}
    </Answered>
  );
}

function ruleRejected(error: unknown): never {
  if (error instanceof Rejection && error.field === 'expectedVersion') throw error.as('CHANGED_MEANWHILE');
  throw error;
}

/** So that fields beside each other are on one line, whatever their descriptions. */
const below: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error'];

/** Sets a rule again that was removed. */
function restore(company: string, { approveUpTo, rejectAbove, withinDays }: Rule) {
  const body = { approveUpTo, rejectAbove, withinDays, expectedVersion: 0 };
  return ask('POST /tenants/{id}/decision-rule', { id: company, body }).catch(ruleRejected);
}

function RuleForm({ company, rule }: { company: string; rule: Rule | null }) {
  const { t } = useLingui();
  const [approveUpTo, setApproveUpTo] = useState(rule?.approveUpTo ?? '');
  const [rejectAbove, setRejectAbove] = useState(rule?.rejectAbove ?? '');
  const [withinDays, setWithinDays] = useState<number | string>(rule?.withinDays ?? '');
  const [sample, setSample] = useState<AnswerOf<'POST /tenants/{id}/decision-rule/sample'>>();
  const body = {
    approveUpTo: approveUpTo || null,
    rejectAbove: rejectAbove || null,
    withinDays: withinDays === '' ? null : Number(withinDays),
  };
  const changes = [decisionRuleQuery(company).queryKey];
  const save = useAction(
    changes,
    () =>
      ask('POST /tenants/{id}/decision-rule', {
        id: company,
        body: { ...body, expectedVersion: rule?.version ?? 0 },
      }).catch(ruleRejected),
    () => confirmDone(t`The rule applies to new orders.`),
  );
  const confirmUndo = useUndo(changes);
  const { attempt, busy, error } = useAttempt();
  const tryIt = () =>
    attempt('send', async () => {
      setSample(await ask('POST /tenants/{id}/decision-rule/sample', { id: company, body }));
    });
  const isWrong = (value: string) => value !== '' && !isDecimal(value);
  const isUsable =
    !isWrong(approveUpTo) && !isWrong(rejectAbove) && (approveUpTo !== '' || rejectAbove !== '');
  const isDirty =
    approveUpTo !== (rule?.approveUpTo ?? '') ||
    rejectAbove !== (rule?.rejectAbove ?? '') ||
    withinDays !== (rule?.withinDays ?? '');
  const wrong = t`Enter an amount`;
  return (
    <LimitedForm
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (isUsable) void save.run();
      }}
    >
      <UnsavedChanges isDirty={isDirty && !save.busy} />
      <Section title={<Trans>Approval rule</Trans>}>
        <Text size="sm" mb="md">
          {rule === null ? (
            <Trans>
              Without a rule, every order is decided manually. The rule decides new orders by their monthly
              rates. Orders between the two amounts are decided manually.
            </Trans>
          ) : (
            <Trans>
              Applies since <When at={rule.changedAt} />. Orders between the two amounts, and orders of
              blocked employees, are decided manually.
            </Trans>
          )}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <DecimalField
            label={t`Approve up to a month`}
            description={t`Leasing, insurance and service together. Empty: approves none`}
            inputWrapperOrder={below}
            currency="EUR"
            value={approveUpTo}
            onChange={setApproveUpTo}
            error={isWrong(approveUpTo) && wrong}
          />
          <DecimalField
            label={t`Reject above a month`}
            description={t`Empty: rejects none`}
            inputWrapperOrder={below}
            currency="EUR"
            value={rejectAbove}
            onChange={setRejectAbove}
            error={isWrong(rejectAbove) && wrong}
          />
          <NumberField
            label={t`Only orders of the last days`}
            description={t`Empty: whatever their age`}
            inputWrapperOrder={below}
            min={1}
            value={withinDays}
            onChange={setWithinDays}
          />
        </SimpleGrid>
        {(save.error ?? error) !== null && <Failure error={save.error ?? error} />}
        <Group mt="md">
          <Button type="submit" loading={save.busy} disabled={!isDirty || !isUsable}>
            {rule === null ? <Trans>Create rule</Trans> : <Trans>Save</Trans>}
          </Button>
          <Button variant="default" loading={busy !== null} disabled={!isUsable} onClick={() => void tryIt()}>
            <Trans>Try on the last orders</Trans>
          </Button>
          <ConfirmButton
            label={<Trans>Deactivate</Trans>}
            title={<Trans>Deactivate the rule?</Trans>}
            isShown={rule !== null}
            changes={changes}
            action={() => ask('DELETE /tenants/{id}/decision-rule', { id: company })}
            done={() =>
              confirmUndo({
                done: t`All new orders are decided manually.`,
                undo: () => restore(company, rule!),
                undone: t`The rule applies to new orders.`,
              })
            }
          >
            <Trans>From now on, all orders are decided manually. Earlier decisions stay.</Trans>
          </ConfirmButton>
        </Group>
        <div role="status">
          {sample && (
            <Text mt="md" fw={600}>
              <SampleWords {...sample} />
            </Text>
          )}
        </div>
        {sample && sample.inspected > 0 && <RuleSample sample={sample} />}
      </Section>
    </LimitedForm>
  );
}

function SampleWords({ inspected, decided, items }: AnswerOf<'POST /tenants/{id}/decision-rule/sample'>) {
  if (inspected === 0) return <Trans>There are no orders yet.</Trans>;
  const others = items.filter(
    ({ wouldBe, decision }) => wouldBe !== null && decision !== null && wouldBe !== decision,
  ).length;
  return (
    <>
      <Trans>
        This rule would have decided {decided} of the last{' '}
        <Plural value={inspected} one="order" other="# orders" />.
      </Trans>{' '}
      {others > 0 && (
        <Plural
          value={others}
          one="# of them was decided otherwise."
          other="# of them were decided otherwise."
        />
      )}
    </>
  );
}

type Sample = AnswerOf<'POST /tenants/{id}/decision-rule/sample'>;
type SampledOrder = Sample['items'][number] & { readonly id: string };
type Decision = SampledOrder['wouldBe'];

/** The orders that a rule was tried on, with the decision of the rule and the one that was made. */
function RuleSample({ sample }: { sample: Sample }) {
  const { t } = useLingui();
  const words = (decision: Decision, none: string) =>
    decision === null ? none : decision === 'approved' ? t`Approved` : t`Rejected`;
  const columns: Column<SampledOrder>[] = [
    { label: t`Order number`, cell: ({ orderNumber }) => orderNumber },
    { label: t`Submitted`, cell: ({ submittedAt }) => day(submittedAt) },
    {
      label: t`Rates a month`,
      isAmount: true,
      cell: ({ monthlyRate }) => (monthlyRate === null ? t`No contract` : money(monthlyRate, 'EUR')),
    },
    { label: t`The rule`, cell: ({ wouldBe }) => words(wouldBe, t`Manual decision`) },
    { label: t`Decision so far`, cell: ({ decision }) => words(decision, t`None`) },
  ];
  return (
    <section aria-label={t`Last orders`}>
      <DataTable rows={sample.items.map(order => ({ ...order, id: order.orderId }))} columns={columns} />
    </section>
  );
}
