import { createTheme, type CSSVariablesResolver, localStorageColorSchemeManager } from '@mantine/core';

/** Petrol: white on the last two shades, and the fifth on the dark background, have a contrast of 4.5 at least. */
const petrol = [
  '#e6f7f8',
  '#cfeaed',
  '#a3d6dc',
  '#74c0ca',
  '#4fb0bc',
  '#37a2b0',
  '#22808e',
  '#15717f',
  '#0b6472',
  '#07525e',
] as const;

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: 8,
  colors: { petrol },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // A class without rules: `styles.css` styles the focus of all elements.
  focusClassName: 'focusable',
  // Short: a browser looks for each of them, with each weight, before the first text is rendered.
  fontFamily: "Inter, 'Inter fallback', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } } },
});

/**
 * The only place for colours (`npm run check:styles`). Texts have a contrast of 4.5 at least on body, surface and chip, dots and bars one of 3
 * (WCAG 2.2, 1.4.3 and 1.4.11).
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f7f9fa',
    '--mantine-color-dimmed': '#55606a',
    '--mantine-color-placeholder': '#66707a',
    '--mantine-color-error': '#b42318',
    '--kontor-surface': '#ffffff',
    '--kontor-line': '#dfe5e9',
    '--kontor-chip': '#eef2f4',
    '--kontor-hover': '#f1f3f5',
    '--kontor-focus': '#0b6472',
    '--kontor-danger': '#b42318',
    '--kontor-warning': '#8f5300',
    '--kontor-on-warning': '#ffffff',
    '--kontor-good': '#23874a',
    '--kontor-caution': '#c07408',
    '--kontor-info': '#3573c9',
    '--kontor-bad': '#c93a30',
    '--kontor-neutral': '#7a858e',
  },
  dark: {
    '--mantine-color-body': '#14181b',
    '--mantine-color-text': '#dfe5e9',
    '--mantine-color-dark-4': '#3a444b',
    '--mantine-color-dark-5': '#313a40',
    '--mantine-color-dark-6': '#242b30',
    '--mantine-color-dark-7': '#1c2226',
    '--mantine-color-dimmed': '#a6b0b8',
    '--mantine-color-placeholder': '#98a3ab',
    '--mantine-color-error': '#ff9a8f',
    '--mantine-color-anchor': '#74c0ca',
    '--kontor-surface': '#1c2226',
    '--kontor-line': '#323b41',
    '--kontor-chip': '#2a3238',
    '--kontor-hover': '#313a40',
    '--kontor-focus': '#74c0ca',
    '--kontor-danger': '#b42318',
    '--kontor-warning': '#f0b45a',
    '--kontor-on-warning': '#1c2226',
    '--kontor-good': '#4cb873',
    '--kontor-caution': '#e09b2d',
    '--kontor-info': '#6a9fe8',
    '--kontor-bad': '#e8685d',
    '--kontor-neutral': '#8f9aa3',
  },
});

/** Keeps the chosen appearance; `index.html` reads it before anything is painted. */
export const appearance = localStorageColorSchemeManager({ key: 'kontor-appearance' });
