import { Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { importQuery, importsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ChooseCompany, useOneCompany } from '../../kit/navigation/company.tsx';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { ImportView } from './import-view.tsx';
import { NewImport } from './new-import.tsx';
import { isOpen } from './words.tsx';

/** A CSV file of employees: uploaded, checked, and then imported. */
export function ImportPage() {
  const { t } = useLingui();
  const { import: id } = useSearch({ from: '/shell/imports' });
  const company = useOneCompany();
  const mayChange = useMayChange();
  return (
    <Page
      title={mayChange ? t`Import employees` : t`CSV import`}
      lead={id === undefined && <Lead />}
      actions={
        id !== undefined && (
          <LinkButton
            to="."
            search={before => ({ ...before, import: undefined, tab: undefined, page: undefined })}
            variant="default"
          >
            <Trans>All imports</Trans>
          </LinkButton>
        )
      }
    >
      {id !== undefined && <OneImport key={id} id={id} />}
      {id === undefined && company !== undefined && <Imports key={company} company={company} />}
      {id === undefined && company === undefined && (
        <ChooseCompany>
          {mayChange ? (
            <Trans>A file is imported into one company.</Trans>
          ) : (
            <Trans>Each company has its own imports.</Trans>
          )}
        </ChooseCompany>
      )}
    </Page>
  );
}

function Lead() {
  return useMayChange() ? (
    <Trans>Upload a CSV file and see what would change. Nothing changes before you import it.</Trans>
  ) : (
    <Trans>The files that HR has imported, and what they have changed.</Trans>
  );
}

function OneImport({ id }: { id: string }) {
  return (
    <Answered answer={useAnswer(importQuery(id))} height={300}>
      {details => <ImportView details={details} />}
    </Answered>
  );
}

/** The open import of the company, or else a new one, and the reports of earlier ones. */
function Imports({ company }: { company: string }) {
  return (
    <Answered answer={useAnswer(importsQuery(company))} height={300}>
      {({ items }) => {
        const open = items.find(isOpen);
        return <NewImport company={company} open={open} items={items} />;
      }}
    </Answered>
  );
}
