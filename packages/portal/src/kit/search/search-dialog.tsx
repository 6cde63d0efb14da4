import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { PortalPermission } from '@kontor/contract';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { searchQuery } from '../../api/queries.ts';
import { Failure } from '../failure.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { Dialog } from '../overlay/dialog.tsx';
import { isPermitted } from '../navigation/menu.ts';
import { pages } from '../navigation/pages.tsx';
import { offeredKinds, placeOf } from './search-kinds.tsx';
import shared from '../shared.module.css';
import header from '../navigation/header.module.css';
import styles from './search.module.css';

interface Option {
  readonly id: string;
  readonly name: string;
  readonly detail?: string | null;
  readonly icon: IconName;
  readonly link: Parameters<ReturnType<typeof useNavigate>>[0];
}

interface Props {
  readonly permissions: readonly PortalPermission[];
  readonly close: () => void;
}

/** Most results of a kind that the service answers with. */
const maxResults = 5;

/**
 * The search over everything: pages, and what the service finds. Mantine's `Combobox` tells a screen reader which result is chosen only
 * after an arrow key, and its Escape would not close the dialog.
 */
export function SearchDialog({ permissions, close }: Props) {
  const { t } = useLingui();
  return (
    <Dialog opened close={close} title={t`Search`} size="lg">
      <Search permissions={permissions} close={close} />
    </Dialog>
  );
}

function Search({ permissions, close }: Props) {
  const { t } = useLingui();
  const list = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { groups, error, isCurrent } = useResults(text, permissions);
  const options = groups.flatMap(group => group.options);
  const chosen = options[Math.min(active, options.length - 1)];
  const idOf = ({ id }: Option) => `${list}-${id}`;
  const open = ({ link }: Option) => {
    close();
    void navigate(link);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && chosen) open(chosen);
    else if (step === undefined || options.length === 0) return;
    else {
      const next = (active + step + options.length) % options.length;
      setActive(next);
      document.getElementById(idOf(options[next]!))?.scrollIntoView({ block: 'nearest' });
    }
    event.preventDefault();
  };
  return (
    <div className={styles.dialog}>
      <input
        type="search"
        className={header.input}
        role="combobox"
        data-autofocus
        aria-label={t`Search`}
        aria-expanded={options.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen && idOf(chosen)}
        placeholder={t`Name, number or email`}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={move}
      />
      {error !== null && <Failure error={error} />}
      <div id={list} role="listbox" aria-label={t`Results`} className={styles.results} tabIndex={-1}>
        {groups.map(({ name, options }) => (
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden>{name}</p>
            {options.map(option => (
              <div
                key={option.id}
                id={idOf(option)}
                role="option"
                aria-selected={option === chosen}
                tabIndex={-1}
                onKeyDown={move}
                onClick={() => open(option)}
                onPointerMove={() => setActive(options.length > 0 ? indexOf(groups, option) : 0)}
              >
                <Icon name={option.icon} />
                <span>{option.name}</span>
                {option.detail && <span className={shared.hint}>{option.detail}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {isCurrent && options.length === 0 && error === null && (
        <p className={shared.aside}>
          <Trans>No matches. Search for a part of a name, an email or an ID.</Trans>
        </p>
      )}
      {isCurrent && groups.some(({ isCut }) => isCut) && (
        <p className={shared.aside}>
          <Trans>At most {maxResults} results of a kind are shown. Type more to find others.</Trans>
        </p>
      )}
      <VisuallyHidden role="status">
        {isCurrent && <Plural value={options.length} one="# result" other="# results" />}
      </VisuallyHidden>
    </div>
  );
}

const indexOf = (groups: readonly { options: readonly Option[] }[], option: Option) =>
  groups.flatMap(({ options }) => options).indexOf(option);

/** The permitted pages whose name has the text in it, and what the service finds, by kind. */
function useResults(text: string, permissions: readonly PortalPermission[]) {
  const { t, i18n } = useLingui();
  const words = text.trim();
  const [asked] = useDebouncedValue(words, 200);
  const kinds = offeredKinds.map(({ kind }) => kind);
  const { data, error, isPlaceholderData } = useAnswer({
    ...searchQuery({ text: asked, kinds }),
    enabled: asked !== '',
  });
  const lower = (name: string) => name.toLocaleLowerCase(i18n.locale);
  const places: Option[] = pages
    .filter(page => isPermitted(page, permissions) && lower(i18n._(page.label)).includes(lower(words)))
    .map(({ to, icon, label }) => ({ id: to, name: i18n._(label), icon, link: { to } }));
  const items = words === '' || asked === '' ? [] : (data?.items ?? []);
  const groups = [
    { name: t`Pages`, options: places, isCut: false },
    ...offeredKinds.map(({ kind, label, icon, link }) => {
      const found = items.filter(item => item.kind === kind);
      return {
        name: i18n._(label),
        options: found.map((item): Option => ({
          ...item,
          detail: placeOf(item),
          icon,
          link: link(item) as Option['link'],
        })),
        isCut: found.length === maxResults,
      };
    }),
  ].filter(({ options }) => options.length > 0);
  const isCurrent = words === asked && (asked === '' || (data !== undefined && !isPlaceholderData));
  return { groups, error: asked === '' ? null : error, isCurrent };
}
