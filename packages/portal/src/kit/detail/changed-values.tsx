import type { ValueChange } from '@kontor/contract';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { divisionsByIdQuery, useTenantNames } from '../../api/queries.ts';
import { moment } from '../dates.ts';
import { useFieldWords } from '../field-words.tsx';
import { useSettingValueWords, useSettingWords } from './setting-words.tsx';

/** Renders changed fields with words for their values, the old one first. */
export function useChangedValues(changes: readonly (readonly ValueChange[])[]) {
  const words = useFieldWords();
  const settings = useSettingWords();
  const nameOf = (field: string) =>
    words[field] ??
    field
      .split('.')
      .map(name => settings[name] ?? name)
      .join(' · ');
  const ofDivisions = changes
    .flat()
    .filter(({ field }) => field === 'divisionId')
    .flatMap(({ before, after }) => [before, after]);
  const valueOf = useValueWords(ofDivisions.filter(id => id !== null));
  return (values: readonly ValueChange[]) =>
    values.map(({ field, before, after }) => (
      <div key={field} style={{ overflowWrap: 'anywhere' }}>
        <strong>{nameOf(field)}</strong>: {valueOf(field, before) ?? <Nothing />} →{' '}
        {valueOf(field, after) ?? <Nothing />}
      </div>
    ));
}

/** Why something was changed, as it was entered. */
export function ReasonOfChange({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <div style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      <Trans>Reason: {reason}</Trans>
    </div>
  );
}

function Nothing() {
  return (
    <em>
      <Trans>empty</Trans>
    </em>
  );
}

/** Renders values of fields, with the names of companies and of the given divisions. Null has no words. */
export function useValueWords(
  divisionIds: readonly string[],
): (field: string, value: string | boolean | null) => string | null {
  const { t, i18n } = useLingui();
  const tenantName = useTenantNames();
  const settings = useSettingWords();
  const settingValues = useSettingValueWords();
  const ids = [...new Set(divisionIds)];
  const { data } = useQuery({ ...divisionsByIdQuery(ids), enabled: ids.length > 0 });
  const countries = new Intl.DisplayNames([i18n.locale], { type: 'region' });
  return (field, value) => {
    if (value === null || value === '') return null;
    const text = String(value);
    switch (field) {
      case 'blocked':
        return text === 'true' ? t`Yes` : t`No`;
      case 'tenant':
        return tenantName(text) ?? text;
      case 'divisionId':
        return data?.items.find(({ id }) => id === text)?.name ?? text;
      case 'countryCode':
        return countries.of(text) ?? text;
      case 'activatedAt':
      case 'expiresAt':
        return moment(text);
      default:
        if (settings[field.split('.')[0]!] === undefined) return text;
        return text
          .split(', ')
          .map(part => settingValues[part] ?? part)
          .join(', ');
    }
  };
}
