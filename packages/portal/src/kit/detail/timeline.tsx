import { Text, Timeline as Line } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useAuditWords } from '../audit-words.tsx';
import { moment } from '../dates.ts';
import { When } from '../when.tsx';

export interface TimelineEvent {
  readonly id: string;
  readonly at: string;
  readonly what: ReactNode;
  readonly who: ReactNode;
}

/** The actor of a change in the audit, by the name at that time. */
export function Actor({ type, name }: { type: string; name: string }) {
  if (type === 'operator') return <Trans>the operator</Trans>;
  if (type === 'system') return <Trans>the service itself</Trans>;
  if (type === 'api_key') return <Trans>API key {name}</Trans>;
  return name;
}

/** Events with their actors, the newest first. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  return (
    <Line role="list" active={events.length} bulletSize={18} lineWidth={2}>
      {events.map(({ id, at, what, who }) => (
        <Line.Item key={id} role="listitem" style={{ overflowWrap: 'anywhere' }}>
          <Text component="div">{what}</Text>
          <Text size="sm" c="dimmed" component="div">
            {who} · <When at={at} /> ({moment(at)})
          </Text>
        </Line.Item>
      ))}
    </Line>
  );
}

interface Change {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actorType: string;
  readonly actorName: string;
}

/** Changes of an item in the audit, by the words of their actions. */
export function ChangeTimeline({
  changes,
  words,
}: {
  changes: readonly Change[];
  words: Readonly<Record<string, string>>;
}) {
  const { action: actionWords } = useAuditWords();
  return (
    <Timeline
      events={changes.map(({ id, at, action, actorType, actorName }) => ({
        id,
        at,
        what: words[action] ?? actionWords(action),
        who: <Actor type={actorType} name={actorName} />,
      }))}
    />
  );
}
