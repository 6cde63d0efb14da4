import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkProps = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & { ref?: Ref<HTMLAnchorElement> };

/** A link of the portal that looks like a button. */
export const LinkButton = createLink((props: LinkProps) => <Button component="a" {...props} />);

/** A link of the portal. */
export const TextLink = createLink(Anchor<'a'>);
