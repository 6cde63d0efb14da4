/** Drawings of 24 by 24, stroked. */
const paths = {
  alert:
    'M12 8v5M12 16.5v.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  building: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM5 15H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v1',
  device: 'M4 5h16v11H4zM2 20h20',
  filter: 'M3.5 5h17l-6.6 7.8V19l-3.8-2v-4.2Z',
  home: 'm3 11 9-8 9 8M5 9.5V20a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V9.5M10 21v-6h4v6',
  key: 'M15.5 3a5.5 5.5 0 0 0-5.2 7.3L3 17.6V21h3.4v-2.5h2.5V16h2.5l2.3-2.3A5.5 5.5 0 1 0 15.5 3ZM17 7.2v.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20.5 14.5A8.5 8.5 0 0 1 9.5 3.5a8.5 8.5 0 1 0 11 11Z',
  lock: 'M6 10.5h12a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 19v-7A1.5 1.5 0 0 1 6 10.5ZM8 10.5V7a4 4 0 1 1 8 0v3.5',
  passkey:
    'M13 7.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM2.5 20.5a6.7 6.7 0 0 1 9.8-6M17.5 11.5a2.7 2.7 0 0 0-1 5.2v4l1.5 1.3 1.5-1.5-1-1 1-1-.7-1.5a2.7 2.7 0 0 0-1.3-5.5Z',
  plus: 'M12 5v14M5 12h14',
  search: 'm20 20-4.5-4.5M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z',
  sort: 'm8 9 4-4 4 4M8 15l4 4 4-4',
  up: 'm7 14 5-5 5 5',
  down: 'm7 10 5 5 5-5',
  users:
    'M2.5 20a6.5 6.5 0 0 1 13 0M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM16 4.8a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 6',
  user: 'M4 20.5a8 8 0 0 1 16 0M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing that says nothing to who cannot see it: words stand beside it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b6472" />
      <path
        d="M10 7v18M22 7l-11 9.5L22 25"
        stroke="#fff"
        strokeWidth="3.4"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
