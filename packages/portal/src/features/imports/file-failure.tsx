import { Alert, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Icon } from '../../kit/icon.tsx';
import type { Import } from './words.tsx';
import styles from './imports.module.css';

type Failure = NonNullable<Import['failure']>;

const spreadsheets: readonly Failure['format'][] = ['xlsx', 'xls', 'ods', 'numbers'];

/** Why a file could not be read or imported, and what to do. */
export function FileFailure({ failure }: { failure: Failure }) {
  const words = useFailureWords();
  const { reason, format } = failure;
  return (
    <Alert role="alert" variant="outline" color="red" icon={<Icon name="alert" />}>
      <Stack gap="xs">
        <Text size="sm">{words(failure)}</Text>
        {(reason === 'unknown_encoding' || spreadsheets.includes(format)) && <SaveAsCsv />}
      </Stack>
    </Alert>
  );
}

/** The way to a CSV file, in the words of the menus. */
function SaveAsCsv() {
  return (
    <ul className={styles.steps}>
      <li>
        <Trans>
          Excel: choose “File”, “Save As”, and the file type “CSV UTF-8 (Comma delimited) (*.csv)”.
        </Trans>
      </li>
      <li>
        <Trans>
          LibreOffice: choose “File”, “Save As”, the file type “Text CSV (.csv)”, and the character set
          “Unicode (UTF-8)”.
        </Trans>
      </li>
      <li>
        <Trans>Numbers: choose “File”, “Export To” and “CSV”, and the text encoding “Unicode (UTF-8)”.</Trans>
      </li>
    </ul>
  );
}

function useFailureWords(): (failure: Failure) => string {
  const { t } = useLingui();
  const formatWords = useFormatWords();
  return ({ reason, line, column, found, format }) => {
    switch (reason) {
      case 'no_rows':
        return t`The file has no rows below the names of its columns.`;
      case 'other_format':
        return formatWords(format ?? 'binary');
      case 'unknown_encoding':
        return t`The file cannot be read: its encoding is unknown. Line ${line}, character ${column} has ${found}, which is possible neither in UTF-8 nor in Windows-1252. Save it again as CSV in UTF-8:`;
      case 'too_many_columns':
        return t`The file has more than 200 columns. Remove some of them.`;
      case 'too_many_rows':
        return t`The file has more than 100,000 rows. Split it into several files, and import one after the other.`;
      case 'unclosed_quote':
        return t`A quotation mark in line ${line} is never closed, so the rest cannot be read. Add the mark at the end of the value, or remove the one that opens it.`;
      case 'permission':
        return t`The import stopped: its user no longer has the permission HR for this company. What was imported stays.`;
      case 'internal':
        return t`The service could not go on. What was imported stays. Upload the file again, or tell the operator.`;
    }
  };
}

/** Names the format of a file that is not CSV. The name of the file can say something else. */
function useFormatWords(): (format: NonNullable<Failure['format']>) => string {
  const { t } = useLingui();
  return format => {
    switch (format) {
      case 'xlsx':
      case 'xls':
        return t`This is an Excel workbook, not a CSV file. Save the sheet as CSV in UTF-8:`;
      case 'ods':
        return t`This is a LibreOffice spreadsheet, not a CSV file. Save the sheet as CSV in UTF-8:`;
      case 'numbers':
        return t`This is a Numbers spreadsheet, not a CSV file. Save the sheet as CSV in UTF-8:`;
      case 'docx':
        return t`This is a Word document, not a CSV file. Copy the table into a spreadsheet, and save it as CSV UTF-8.`;
      case 'zip':
      case 'gzip':
        return t`This is a compressed archive, not a CSV file. Extract the CSV file, and upload that.`;
      case 'pdf':
        return t`This is a PDF document, not a CSV file. Export the list as CSV from the program that made it.`;
      case 'html':
        return t`This is a web page, not a CSV file, although its name may say so. Open it in Excel or LibreOffice, and save it as CSV UTF-8.`;
      case 'xml':
        return t`This is an XML file, not a CSV file. Export the list as CSV, or open it in Excel and save it as CSV UTF-8.`;
      case 'json':
        return t`This is a JSON file, not a CSV file. Export the list as CSV from the program that made it.`;
      case 'rtf':
        return t`This is an RTF document, not a CSV file. Copy the table into a spreadsheet, and save it as CSV UTF-8.`;
      case 'image':
        return t`This is a picture, not a CSV file. Export the list as CSV from the program that made it.`;
      case 'binary':
        return t`This is not a CSV file: it contains data that is not text. Export the list as CSV from the program that made it.`;
    }
  };
}
