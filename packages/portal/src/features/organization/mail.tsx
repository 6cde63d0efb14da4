import { Alert, Button, Stack, Text } from '@mantine/core';
import type { MailName } from '@kontor/contract';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { mailQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { Email } from '../../kit/email.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { Icon } from '../../kit/icon.tsx';
import { useMailWords } from './words.tsx';

/** Whether mails are sent, which, and a test message. The mail server itself is the operator's. */
export function Mail() {
  return (
    <Answered answer={useAnswer(mailQuery)} height={320}>
      {overview => (overview.isSetUp ? <MailsSent {...overview} /> : <NoMails />)}
    </Answered>
  );
}

function NoMails() {
  return (
    <Section title={<Trans>No mails are sent</Trans>}>
      <Text>
        <Trans>
          The operator of this installation has set no mail server. You pass on the links of invitations
          yourself, and nobody is reminded of API keys that expire.
        </Trans>
      </Text>
    </Section>
  );
}

function MailsSent({ from, mails }: AnswerOf<'GET /mail'>) {
  const words = useMailWords();
  return (
    <Stack gap="lg" maw="var(--kontor-form)">
      <Section title={<Trans>Mails</Trans>}>
        <Facts>
          <Fact name={<Trans>Sender</Trans>}>
            <Email address={from!} />
          </Fact>
          <Fact name={<Trans>Language</Trans>}>
            <Trans>Language of the recipient</Trans>
          </Fact>
          {mails.map((name: MailName) => (
            <Fact key={name} name={words[name].name}>
              {words[name].to}
            </Fact>
          ))}
        </Facts>
      </Section>
      <TestMessage />
    </Stack>
  );
}

type Result = AnswerOf<'POST /mail/test-message'>;

function TestMessage() {
  const [result, setResult] = useState<Result | null>(null);
  const sending = useAction([], () => ask('POST /mail/test-message', {}), setResult);
  const send = () => {
    setResult(null);
    void sending.run();
  };
  return (
    <Section title={<Trans>Test message</Trans>}>
      <Stack align="flex-start">
        <Text>
          <Trans>A message to your own email address shows whether mails arrive.</Trans>
        </Text>
        <Button variant="default" loading={sending.busy} onClick={send}>
          <Trans>Send a test message to me</Trans>
        </Button>
        {sending.error !== null && <Failure error={sending.error} />}
        <div role="status">{result && <ResultOf {...result} />}</div>
      </Stack>
    </Section>
  );
}

function ResultOf({ outcome, reply }: Result) {
  const { t } = useLingui();
  const words: Record<Result['outcome'], string> = {
    accepted: t`The mail server has accepted the message. Check your mailbox, including the spam folder.`,
    unreachable: t`The mail server could not be reached. Contact the operator of this installation.`,
    login_rejected: t`The mail server rejected the login of Kontor. Contact the operator of this installation.`,
    rejected: t`The mail server rejected the message. Check your email address, or contact the operator of this installation.`,
  };
  const isAccepted = outcome === 'accepted';
  return (
    <Alert
      role="presentation"
      variant="outline"
      color={isAccepted ? 'green' : 'red'}
      {...(!isAccepted && { c: 'var(--mantine-color-error)' })}
      icon={<Icon name={isAccepted ? 'check' : 'alert'} />}
    >
      <Text size="sm">{words[outcome]}</Text>
      {reply !== null && (
        <Text size="xs" c="dimmed">
          <Trans>SMTP reply {reply}</Trans>
        </Text>
      )}
    </Alert>
  );
}
