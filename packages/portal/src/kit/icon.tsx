import {
  ArrowLeft,
  ArrowUpDown,
  Building2,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronUp,
  Clock,
  Coins,
  Copy,
  Download,
  EllipsisVertical,
  Funnel,
  House,
  Inbox,
  KeyRound,
  Laptop,
  Lock,
  type LucideIcon,
  Menu,
  Minus,
  Moon,
  Network,
  Plus,
  ScanFace,
  Search,
  Settings2,
  TriangleAlert,
  User,
  Users,
  X,
} from 'lucide-react';

/** The icons of the portal, all of Lucide. */
const icons = {
  alert: TriangleAlert,
  back: ArrowLeft,
  building: Building2,
  check: Check,
  chevron: ChevronRight,
  clock: Clock,
  close: X,
  coins: Coins,
  copy: Copy,
  device: Laptop,
  down: ChevronDown,
  download: Download,
  filter: Funnel,
  home: House,
  inbox: Inbox,
  key: KeyRound,
  lock: Lock,
  menu: Menu,
  minus: Minus,
  moon: Moon,
  more: EllipsisVertical,
  passkey: ScanFace,
  plus: Plus,
  search: Search,
  settings: Settings2,
  sort: ArrowUpDown,
  tree: Network,
  up: ChevronUp,
  user: User,
  users: Users,
} satisfies Record<string, LucideIcon>;

export type IconName = keyof typeof icons;

/** It is hidden from screen readers: words stand beside it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const Outline = icons[name];
  return <Outline size={size} strokeWidth={1.8} aria-hidden="true" focusable="false" />;
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
