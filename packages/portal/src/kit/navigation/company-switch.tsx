import { finderOf, searchedText } from '@kontor/contract/filter';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { tenantsQuery } from '../../api/queries.ts';
import { Icon } from '../icon.tsx';
import { Popover } from '../overlay/popover.tsx';
import { useCompany } from './company.tsx';
import header from './header.module.css';

/** From so many companies on they are searched. */
const searchFrom = 8;

/** Narrows all lists to one company, which the address keeps. It is hidden from a user of one company. */
export function CompanySwitch() {
  const { t } = useLingui();
  const company = useCompany();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  if (companies.length < 2 && company === undefined) return null;
  const name =
    company === undefined
      ? t`All companies`
      : (companies.find(one => one.id === company)?.name ?? t`Unknown company`);
  return (
    <Popover
      className={header.switch}
      buttonClass={`${header.button} ${company === undefined ? '' : header.chosen}`}
      button={
        <>
          <Icon name="building" />
          <span>{name}</span>
          <Icon name="down" size={16} />
        </>
      }
      label={t`Company: ${name}`}
      title={t`Company`}
      panelClass={`${header.panel} ${header.companies}`}
      focusesFirst
    >
      {close => <Choices companies={companies} company={company} close={close} />}
    </Popover>
  );
}

interface ChoicesProps {
  readonly companies: readonly { readonly id: string; readonly name: string }[];
  readonly company: string | undefined;
  readonly close: () => void;
}

function Choices({ companies, company, close }: ChoicesProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const isFound = finderOf(text);
  const matching = companies.filter(({ name }) => isFound(searchedText(name)));
  const choice = (id: string | undefined, name: string) => (
    <li key={id ?? ''}>
      <Link
        to="."
        search={before => ({ ...before, company: id, page: undefined })}
        aria-current={id === company || undefined}
        onClick={close}
        onKeyDown={moveFocus}
      >
        <span>{name}</span>
        {id === company && <Icon name="check" size={16} />}
      </Link>
    </li>
  );
  return (
    <>
      {companies.length >= searchFrom && (
        <input
          type="search"
          className={header.input}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={event => {
            const { key, currentTarget } = event;
            if (key === 'Enter' && text !== '') currentTarget.parentElement!.querySelector('a')?.click();
            moveFocus(event);
          }}
          aria-label={t`Search for a company`}
          placeholder={t`Search for a company`}
        />
      )}
      <ul>
        {text === '' && choice(undefined, t`All companies`)}
        {matching.map(({ id, name }) => choice(id, name))}
      </ul>
      {matching.length === 0 && (
        <p role="status">
          <Trans>No matching companies</Trans>
        </p>
      )}
    </>
  );
}

/** Moves the focus among the search and the choices by the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const places = [...event.currentTarget.closest('[popover]')!.querySelectorAll<HTMLElement>('input, a')];
  const next = places.indexOf(document.activeElement as HTMLElement) + step;
  places[Math.min(Math.max(next, 0), places.length - 1)]?.focus();
}
