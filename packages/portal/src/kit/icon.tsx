import type { IconName } from './icon-names.ts';

export type { IconName } from './icon-names.ts';

/** The outlines, as the build has taken them from Lucide. */
declare const __ICONS__: Readonly<Record<IconName, string>>;
const outlines = __ICONS__;

/** It is hidden from screen readers: words stand beside it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      strokeWidth={1.8}
      aria-hidden="true"
      focusable="false"
      dangerouslySetInnerHTML={{ __html: outlines[name] }}
    />
  );
}

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-petrol-8)" />
      <path
        d="M10 7v18M22 7l-11 9.5L22 25"
        stroke="var(--mantine-color-white)"
        strokeWidth="3.4"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
