import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon } from '../icon.tsx';
import { useMayChange } from '../form/may-change.ts';

type LinkProps = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & { ref?: Ref<HTMLAnchorElement> };

/** A link of the portal that looks like a button. */
export const LinkButton = createLink((props: LinkProps) => <Button component="a" {...props} />);

interface CreateLinkProps {
  readonly to: '/employees/new' | '/incidents/new' | '/settings/api-keys/new' | '/settings/users/new';
  readonly children: ReactNode;
}

/** A link to the form for something new. */
export function CreateLink({ to, children }: CreateLinkProps) {
  if (!useMayChange()) return null;
  return (
    <LinkButton to={to} leftSection={<Icon name="plus" />}>
      {children}
    </LinkButton>
  );
}

/** A link that leaves a form. */
export function CancelLink({
  to,
}: {
  to: '/account' | '/employees' | '/settings/api-keys' | '/settings/users';
}) {
  return (
    <LinkButton to={to} variant="default">
      <Trans>Cancel</Trans>
    </LinkButton>
  );
}

/** A link of the portal. */
export const TextLink = createLink(Anchor<'a'>);
