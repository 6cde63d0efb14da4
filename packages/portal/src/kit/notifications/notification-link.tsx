import { Text, VisuallyHidden } from '@mantine/core';
import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { monthName } from '../dates.ts';
import { When } from '../when.tsx';
import styles from './bell.module.css';

type Item = AnswerOf<'GET /summary'>['notifications']['items'][number];

/** A notification that leads to its page. Many of a kind are one item, without a name. */
export function NotificationLink({ close, ...item }: Item & { readonly close: () => void }) {
  const { at, unread } = item;
  const { title, detail } = wordsOf(item);
  const link = {
    className: styles.item,
    'data-unread': unread > 0 || undefined,
    onClick: close,
    children: (
      <>
        <strong>
          {unread > 0 && (
            <VisuallyHidden>
              <Trans>Unread:</Trans>{' '}
            </VisuallyHidden>
          )}
          {title}
        </strong>
        <Text span size="sm" c="dimmed">
          {detail}, <When at={at} />
        </Text>
      </>
    ),
  };
  return <To {...item} link={link} />;
}

interface LinkProps {
  readonly className: string | undefined;
  readonly 'data-unread': true | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Items are about all companies, so a link without a company shows all of them. */
function To({ kind, id, tenant, month, link }: Item & { readonly link: LinkProps }) {
  const company = tenant ?? undefined;
  switch (kind) {
    case 'payroll_due':
      return <Link {...link} to="/payroll" search={{ company, month: month ?? undefined }} />;
    case 'finished_import':
      return <Link {...link} to="/imports" search={{ company, import: id ?? undefined }} />;
    case 'failing_key':
      return id === null ? (
        <Link {...link} to="/settings/api-keys" search={{ company, show: 'failing' }} />
      ) : (
        <Link {...link} to="/settings/api-keys/$id" params={{ id }} search={{ company, tab: 'errors' }} />
      );
    default:
      return <Link {...link} to="/orders" search={{ company }} />;
  }
}

function wordsOf({ kind, name, month, count, unread, isFailed }: Item): {
  title: ReactNode;
  detail: ReactNode;
} {
  switch (kind) {
    case 'new_orders':
      return {
        title:
          unread > 0 ? (
            <Plural value={unread} one="# new order" other="# new orders" />
          ) : (
            <Plural value={count} one="# order" other="# orders" />
          ),
        detail: <Trans>Waiting for a decision: {count}</Trans>,
      };
    case 'expiring_orders':
      return {
        title: <Plural value={count} one="# order expires soon" other="# orders expire soon" />,
        detail: <Trans>Within three days, without a decision</Trans>,
      };
    case 'payroll_due':
      return {
        title: month ? <Trans>Payroll for {monthName(month)} is due</Trans> : <Trans>Payroll is due</Trans>,
        detail: name ?? <Plural value={count} one="# company" other="# companies" />,
      };
    case 'finished_import':
      return {
        title: isFailed ? <Trans>Your import has failed</Trans> : <Trans>Your import is finished</Trans>,
        detail: name ?? <Plural value={count} one="# import" other="# imports" />,
      };
    case 'failing_key':
      return {
        title: <Plural value={count} one="API key failing" other="API keys failing" />,
        detail: name ?? <Plural value={count} one="# API key" other="# API keys" />,
      };
  }
}
