import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchQuery } from '../../api/queries.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { SearchInput } from '../../kit/list/search-input.tsx';
import { WhyLink } from './why-link.tsx';
import shared from '../../kit/shared.module.css';

/** Finds an employee, whose amounts are then explained. */
export function EmployeeSearch() {
  const { t } = useLingui();
  const [text, setText] = useState<string>();
  const { data } = useQuery({
    ...searchQuery({ text: text ?? '', kinds: ['employee'] }),
    enabled: text !== undefined,
  });
  const found = text === undefined ? undefined : data?.items;
  return (
    <Section title={<Trans>Explain the amounts of a person</Trans>}>
      <SearchInput text={text} search={setText} label={t`Search by name or employee number`} />
      <div role="status">
        <ul className={shared.list}>
          {found?.map(({ id, name, detail }) => (
            <li key={id}>
              <WhyLink employee={id}>{name}</WhyLink>{' '}
              <Text span size="xs" c="dimmed">
                {detail}
              </Text>
            </li>
          ))}
          {found?.length === 0 && (
            <li>
              <Trans>No person matches</Trans>
            </li>
          )}
        </ul>
      </div>
    </Section>
  );
}
