import { Alert, Container, Text } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import type { PortalPermission } from '@kontor/contract';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState } from 'react';
import { identityQuery, lastAnswerAt, reasonOfEnd, summaryQuery } from '../../api/queries.ts';
import { isPast, moment } from '../dates.ts';
import { Failure, ShowsSessionEnd, SignInLink } from '../failure.tsx';
import { GuideLink } from '../help/help.tsx';
import { Icon, Logo } from '../icon.tsx';
import { Bell } from '../notifications/bell.tsx';
import { CompanySwitch } from './company-switch.tsx';
import { ChosenCompany, useCompany } from './company.tsx';
import { whenOnline } from './lazy-page.ts';
import { TextLink } from './link-button.tsx';
import { MayChange } from '../form/may-change.ts';
import { isChangeable, isPermitted, menuOf, pageAt } from './menu.ts';
import { NoPermission, Page } from './page.tsx';
import { pages, sectionLabels } from './pages.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { signInRedirect } from './sign-in-redirect.ts';
import { UserMenu } from './user-menu.tsx';
import shared from '../shared.module.css';
import header from './header.module.css';
import styles from './shell.module.css';

/** The frame of all pages for signed-in users: plain elements, since it is rendered before anything else; Mantine's `AppShell` is 8 kB. */
export function Shell() {
  const { t } = useLingui();
  const [opened, menu] = useDisclosure();
  const opener = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  const { identity, hasEnded } = useIdentity();
  const { online } = useNetwork();
  useEffect(() => router.subscribe('onResolved', menu.close), [router, menu.close]);
  useEffect(() => {
    if (!opened) return;
    const closeByEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented) return;
      menu.close();
      opener.current?.focus();
    };
    document.addEventListener('keydown', closeByEscape);
    return () => document.removeEventListener('keydown', closeByEscape);
  }, [opened, menu]);
  if (!identity) return null;
  const { permissions } = identity.user;
  return (
    <>
      <a className={styles.skip} href="#main">
        <Trans>Skip to content</Trans>
      </a>
      <header className={styles.header}>
        <button
          ref={opener}
          type="button"
          className={`${shared.plain} ${header.opener} ${styles.opener}`}
          onClick={menu.toggle}
          aria-label={t`Navigation`}
          aria-expanded={opened}
          aria-controls="navigation"
        >
          <Icon name={opened ? 'close' : 'menu'} size={22} />
        </button>
        <Logo size={28} />
        <span className={styles.name}>Kontor</span>
        <span className={styles.organization}>{identity.organization.name}</span>
        <CompanySwitch />
        <SearchButton permissions={permissions} />
        <Bell />
        <UserMenu user={identity.user} />
      </header>
      <nav id="navigation" className={styles.nav} aria-label={t`Navigation`} data-open={opened || undefined}>
        <Menu permissions={permissions} />
        <GuideLink className={styles.help}>
          <Icon name="help" />
          <Trans>Help</Trans>
        </GuideLink>
      </nav>
      <main id="main" tabIndex={-1} className={styles.main} data-stale={!online || undefined}>
        {!online && <Offline />}
        <Maintenance />
        {hasEnded && <SessionEnd />}
        <ShowsSessionEnd value>
          <Guarded permissions={permissions} />
        </ShowsSessionEnd>
      </main>
    </>
  );
}

/** Watches the session. After its end the page is left, unless it holds unsaved data. */
function useIdentity() {
  const router = useRouter();
  const { data: identity } = useQuery(identityQuery);
  const [last, setLast] = useState(identity);
  if (identity && identity !== last) setLast(identity);
  useEffect(() => {
    if (identity === null)
      void router.navigate({ ...signInRedirect(router.latestLocation, reasonOfEnd()), replace: true });
  }, [identity, router]);
  return { identity: identity ?? last, hasEnded: identity === null };
}

/** Says without a connection how old the page is. The browser loads the data again when it is back. */
function Offline() {
  return (
    <Alert role="alert" className={styles.notice} variant="default" icon={<Icon name="alert" />}>
      <Text size="sm">
        <Trans>No connection. This page shows data as of {moment(lastAnswerAt())}.</Trans>
      </Text>
    </Alert>
  );
}

/** Says that nothing can be changed at the moment. */
function Maintenance() {
  const { data: summary } = useQuery(summaryQuery(useCompany()));
  if (!summary?.maintenance) return null;
  const { until, reason } = summary.maintenance;
  return (
    <Alert role="status" className={styles.notice} variant="default" icon={<Icon name="alert" />}>
      <Text size="sm">
        {until === null || isPast(until) ? (
          <Trans>Maintenance: you can read everything, but nothing can be changed at the moment.</Trans>
        ) : (
          <Trans>
            Maintenance until about {moment(until)}: you can read everything, but nothing can be changed
            before.
          </Trans>
        )}
      </Text>
      {reason !== null && <Text size="sm">{reason}</Text>}
    </Alert>
  );
}

/** Stands above a form with unsaved changes: the page stays, and can be sent after a sign-in in another tab. */
function SessionEnd() {
  return (
    <Alert
      role="alert"
      className={styles.notice}
      variant="default"
      icon={<Icon name="alert" />}
      c="var(--mantine-color-error)"
    >
      <Text size="sm">
        <Trans>Your session has ended. Your changes stay on this page: sign in and save them.</Trans>
      </Text>
      <SignInLink />
    </Alert>
  );
}

interface Permitted {
  readonly permissions: readonly PortalPermission[];
}

/** The pages that the user may open, by section. */
function Menu({ permissions }: Permitted) {
  const { i18n } = useLingui();
  const { data: summary } = useQuery(summaryQuery(useCompany()));
  return menuOf(pages, permissions).map(({ section, pages }) => {
    const heading = sectionLabels[section];
    return (
      <Fragment key={section}>
        {heading && <p>{i18n._(heading)}</p>}
        {pages.map(({ to, icon, label, badge, ...page }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon name={icon} />
            <span>{i18n._(label)}</span>
            {summary && badge && isChangeable({ to, ...page }, permissions) && (
              <Badge count={badge(summary)} />
            )}
          </Link>
        ))}
      </Fragment>
    );
  });
}

/** The page of the menu that the address belongs to; undefined: it is outside of the menu. */
function usePage() {
  return pageAt(pages, useAddress());
}

const useAddress = () => useMatches({ select: matches => matches.at(-1)?.fullPath ?? '/' });

/** How much on a page needs attention. */
function Badge({ count }: { count: number }) {
  const { t } = useLingui();
  if (count === 0) return null;
  const words = t`${plural(count, { one: '# needs attention', other: '# need attention' })}`;
  return (
    <span className={styles.badge} role="img" aria-label={words} title={words}>
      {count > 99 ? '99+' : count}
    </span>
  );
}

/** The page of the address. Without its permission, and for a form of an auditor, the frame says so, and nothing of the page is rendered. */
function Guarded({ permissions }: Permitted) {
  const { i18n } = useLingui();
  const page = usePage();
  const address = useAddress();
  const mayChange = page === undefined || isChangeable(page, permissions);
  const isForm = useLocation({ select: ({ pathname }) => /\/(new|departure)$/.test(pathname) });
  if (page === undefined || (isPermitted(page, permissions) && (mayChange || !isForm)))
    return (
      <MayChange value={mayChange}>
        {page?.to === address && !page.ignoresCompany && <ChosenCompany />}
        <Outlet />
      </MayChange>
    );
  return (
    <Page title={i18n._(page.label)}>
      <NoPermission />
    </Page>
  );
}

/** Stands for a page that could not be loaded or rendered, in the frame. */
export function PageFailure({ error }: { error: unknown }) {
  const { t } = useLingui();
  return (
    <Page title={t`This page cannot be shown`}>
      <Failure error={error} retry={() => void whenOnline().then(() => window.location.reload())} />
    </Page>
  );
}

/** Stands where not even the frame can: the portal could not find out who is signed in, or it is a page without a frame. */
export function ShellFailure({ error }: { error: unknown }) {
  return (
    <Container size="xs" py={80} component="main">
      <PageFailure error={error} />
    </Container>
  );
}

/** Stands at an address without a page, in the frame. */
export function MissingPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Page not found`} lead={<Trans>The address is wrong, or the page no longer exists.</Trans>}>
      <div>
        <TextLink to="/">
          <Trans>Go to the home page</Trans>
        </TextLink>
      </div>
    </Page>
  );
}
