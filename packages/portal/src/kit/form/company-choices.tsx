import { finderOf, searchedText } from '@kontor/contract/filter';
import { Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { type Answer, Answered } from '../answered.tsx';
import { Icon } from '../icon.tsx';

type Company = AnswerOf<'POST /tenants/search'>['items'][number];

interface Props {
  readonly answer: Answer<{ readonly items: readonly Company[] }>;
  /** Renders the choice of one company. */
  readonly children: (company: Company) => ReactNode;
}

/** Most companies that are chosen from without a search. */
const maxWithoutSearch = 8;

/** The companies that a form has a choice for each of. */
export function CompanyChoices({ answer, children }: Props) {
  return (
    <Answered answer={answer} height={80}>
      {({ items }) => {
        if (items.length === 0) return <NoCompanies />;
        return items.length <= maxWithoutSearch ? (
          items.map(children)
        ) : (
          <SearchedCompanies companies={items}>{children}</SearchedCompanies>
        );
      }}
    </Answered>
  );
}

function NoCompanies() {
  return (
    <Text size="sm" c="dimmed">
      <Trans>The organization has no companies yet. The operator of this installation creates them.</Trans>
    </Text>
  );
}

function SearchedCompanies({
  companies,
  children,
}: Pick<Props, 'children'> & { companies: readonly Company[] }) {
  const { t } = useLingui();
  const [words, setWords] = useState('');
  const isFound = finderOf(words);
  const found = companies.filter(({ id, name }) => isFound(searchedText(name)) || id === words.trim());
  return (
    <>
      <TextInput
        type="search"
        size="sm"
        aria-label={t`Search companies`}
        placeholder={t`Name or ID`}
        leftSection={<Icon name="search" size={16} />}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        maw={340}
      />
      {found.map(children)}
      {found.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          <Trans>No matching companies</Trans>
        </Text>
      )}
    </>
  );
}
