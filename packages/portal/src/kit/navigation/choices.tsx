import { ActionIcon, SegmentedControl, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { choose, type Language, languages } from '../../i18n.ts';
import { Icon } from '../icon.tsx';

/** Chooses the language of the portal in this browser. */
export function LanguageSwitch() {
  const { t, i18n } = useLingui();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`Language`}
      value={i18n.locale}
      onChange={value => void choose(value as Language)}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
    />
  );
}

/** Chooses between light and dark in this browser. */
export function AppearanceSwitch() {
  const { t } = useLingui();
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light');
  const words = shown === 'dark' ? t`Light appearance` : t`Dark appearance`;
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={words}
      title={words}
      onClick={() => setColorScheme(shown === 'dark' ? 'light' : 'dark')}
    >
      <Icon name="moon" size={16} />
    </ActionIcon>
  );
}
