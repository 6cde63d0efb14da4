import { useLingui } from '@lingui/react/macro';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Language } from '../../i18n.ts';
import { Icon } from '../icon.tsx';
import { findGuide, type Guide } from './guides.ts';
import styles from './help.module.css';

interface Props {
  /** The subject of the explanation, for screen readers. */
  readonly about: string;
  /** Default: the part about the page. */
  readonly guide?: Guide;
}

/** A question mark next to a title or a field. It opens the guide in another tab, since the page may hold unsaved data. */
export function HelpMark({ about, guide }: Props) {
  const { t } = useLingui();
  const name = t`Explanation: ${about}`;
  return (
    <GuideLink guide={guide} className={styles.mark} name={name}>
      <Icon name="help" size={18} />
    </GuideLink>
  );
}

interface LinkProps {
  readonly guide?: Guide | undefined;
  readonly className?: string | undefined;
  readonly name?: string;
  readonly children: ReactNode;
}

/** A link to a guide in the language of the page. */
export function GuideLink({ guide, className, name, children }: LinkProps) {
  const { i18n } = useLingui();
  const ofPage = useGuideOfPage();
  return (
    <a
      className={className ?? styles.link}
      href={`/docs/${(guide ?? ofPage)[i18n.locale as Language]}`}
      target="_blank"
      rel="noopener"
      aria-label={name}
      title={name}
    >
      {children}
    </a>
  );
}

/** The part of the guides about the page of the address. */
function useGuideOfPage(): Guide {
  const address = useMatches({ select: matches => matches.at(-1)?.fullPath ?? '/' });
  const tab = useMatches({
    select: matches => (matches.at(-1)?.search as { tab?: string } | undefined)?.tab,
  });
  return findGuide(address, tab);
}
