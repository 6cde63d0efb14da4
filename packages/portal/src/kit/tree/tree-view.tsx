import {
  type HTMLAttributes,
  type KeyboardEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Division } from '@kontor/contract';
import { useLingui } from '@lingui/react/macro';
import { Icon } from '../icon.tsx';
import { type Arranging, useArrange } from './arrange.ts';
import type { Zone } from './places.ts';
import { chosenAbove, parentsOfChosen, type Row, stepOf, type Tree, typedTo } from './tree.ts';
import shared from '../shared.module.css';
import styles from './tree-view.module.css';

interface Props {
  readonly tree: Tree;
  readonly rows: readonly Row[];
  readonly label: string;
  /** The division that the keyboard is at. */
  readonly active: string | undefined;
  readonly activate: (id: string) => void;
  readonly open: (id: string, isOpen: boolean) => void;
  readonly select: (division: Division) => void;
  /** Divisions with a check mark; absent: the tree has no check marks. */
  readonly chosen?: ReadonlySet<string>;
  /** The division whose details are open. */
  readonly inspected?: string | undefined;
  /** Moves divisions, where the user may. */
  readonly arranging?: Arranging | undefined;
}

/** Pixels of a line, and of the window on the lines. */
const height = 34;
const windowHeight = 340;
/** Lines that are rendered above and below the visible ones. */
const spare = 8;
/** Milliseconds after which letters begin another word. */
const pause = 700;

/**
 * A tree after the pattern of the WAI-ARIA guide, of which only the visible lines are rendered: ten thousand are as quick as ten. Mantine's
 * renders them all, in 1.5 s, and has neither Home, End nor the typing of names. The focus stays on the tree itself, which names the
 * current line.
 */
export function TreeView(props: Props) {
  const { t } = useLingui();
  const { tree, rows, label, active, activate, open, select, chosen, inspected, arranging } = props;
  const { isArranged, propsOf, onKey, drop, cut, isCut } = useArrange({ tree, arranging, activate, open });
  const id = useId();
  const parents = useMemo(() => (chosen ? parentsOfChosen(tree, chosen) : undefined), [tree, chosen]);
  const area = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const [top, setTop] = useState(0);
  const known = rows.findIndex(({ division }) => division.id === active);
  const at = Math.max(0, known);

  const renderedBefore = useRef({ tree, rows });
  useLayoutEffect(() => {
    const before = renderedBefore.current;
    renderedBefore.current = { tree, rows };
    const { scrollTop } = area.current!;
    if (before.tree !== tree) {
      // Another user has changed the tree: the visible lines keep their place.
      const first = Math.floor(scrollTop / height);
      const id = before.rows[first]?.division.id;
      const now = rows.findIndex(({ division }) => division.id === id);
      if (now >= 0) area.current!.scrollTop += (now - first) * height;
      return;
    }
    if (known < 0) return;
    const line = known * height;
    if (line < scrollTop) area.current!.scrollTop = line;
    else if (line + height > scrollTop + windowHeight)
      area.current!.scrollTop = line + height - Math.min(windowHeight, rows.length * height);
  }, [tree, rows, known]);

  const go = (index: number) => {
    const row = rows[index];
    if (row) activate(row.division.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event, rows[at]!)) return event.preventDefault();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const now = performance.now();
    const word = now - typed.current.at < pause ? typed.current.text : '';
    const step = stepOf(rows, at, event.key);
    if (step) {
      if ('to' in step) go(step.to);
      else open('open' in step ? step.open : step.close, 'open' in step);
    } else if (event.key === 'Enter' || (event.key === ' ' && word === '')) {
      if (!isCovered(tree, rows[at]!.division, chosen)) select(rows[at]!.division);
      go(at);
    } else if (event.key === '*') {
      for (const { division, level, isOpen } of rows)
        if (level === rows[at]!.level && isOpen === false) open(division.id, true);
    } else if (event.key.length === 1) {
      typed.current = { text: word + event.key, at: now };
      go(typedTo(tree, rows, at, typed.current.text));
    } else return;
    event.preventDefault();
  };

  const first = Math.max(0, Math.floor(top / height) - spare);
  const last = Math.min(rows.length, Math.ceil((top + windowHeight) / height) + spare);
  const rendered = rows.slice(first, last).map((row, index) => ({ row, index: first + index }));
  // The focused line is always rendered: `aria-activedescendant` names it.
  if (at < first || at >= last) rendered.push({ row: rows[at]!, index: at });
  const cutName = isCut && cut !== undefined ? tree.byId.get(cut)?.name : undefined;
  const view = (
    <div
      ref={area}
      role="tree"
      aria-label={label}
      aria-multiselectable={chosen !== undefined}
      aria-activedescendant={`${id}-${rows[at]!.division.id}`}
      tabIndex={0}
      className={styles.tree}
      style={{ maxHeight: windowHeight }}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: rows.length * height }}>
        {rendered.map(({ row, index }) => (
          <Line
            key={row.division.id}
            id={`${id}-${row.division.id}`}
            row={row}
            index={index}
            isActive={index === at}
            isCovered={isCovered(tree, row.division, chosen)}
            isChosen={chosen?.has(row.division.id)}
            isParentOfChosen={parents?.has(row.division.id)}
            isInspected={chosen ? undefined : row.division.id === inspected}
            isCut={row.division.id === cut}
            zone={drop?.id === row.division.id ? drop.zone : undefined}
            dragging={isArranged ? propsOf(row) : undefined}
            open={isOpen => {
              activate(row.division.id);
              open(row.division.id, isOpen);
            }}
            select={() => {
              activate(row.division.id);
              select(row.division);
            }}
          />
        ))}
      </div>
    </div>
  );
  if (!isArranged) return view;
  return (
    <>
      {view}
      <div role="status" className={shared.hint}>
        {cutName !== undefined &&
          t`${cutName} is cut. Go to another division and press Ctrl+V to move it there; Escape cancels.`}
      </div>
    </>
  );
}

interface LineProps {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
  readonly isCovered: boolean;
  readonly isChosen: boolean | undefined;
  readonly isParentOfChosen: boolean | undefined;
  readonly isInspected: boolean | undefined;
  /** Whether it is about to be moved. */
  readonly isCut: boolean;
  /** The part of it that a dragged division is above. */
  readonly zone: Zone | undefined;
  readonly dragging: Partial<HTMLAttributes<HTMLDivElement>> | undefined;
  readonly open: (isOpen: boolean) => void;
  readonly select: () => void;
}

/** Deepest level with an indent of its own: a narrow page has no space for more. */
const deepestIndent = 8;

function Line(props: LineProps) {
  const {
    id,
    row,
    index,
    isActive,
    isCovered,
    isChosen,
    isParentOfChosen,
    isInspected,
    isCut,
    zone,
    dragging,
    open,
    select,
  } = props;
  const { division, level, position, siblings, isOpen } = row;
  const indent = (Math.min(level, deepestIndent) - 1) * 18;
  const mark = isCovered || isChosen || (isParentOfChosen ? 'mixed' : false);
  return (
    // The tree has the focus and the keys of all its lines.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-checked={isChosen === undefined ? undefined : mark}
      aria-selected={isInspected}
      aria-disabled={isCovered || undefined}
      data-active={isActive || undefined}
      data-cut={isCut || undefined}
      data-drop={zone}
      {...dragging}
      className={styles.line}
      title={division.name}
      style={{ top: index * height, height, paddingLeft: indent }}
      onClick={isCovered ? undefined : select}
    >
      {/* The keyboard opens with the arrow to the right. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={styles.opener}
        data-open={isOpen || undefined}
        onClick={event => {
          if (isOpen === null) return;
          event.stopPropagation();
          open(!isOpen);
        }}
      >
        {isOpen !== null && <Icon name="chevron" size={16} />}
      </span>
      {isChosen !== undefined && (
        <span className={styles.mark} data-on={mark || undefined}>
          {mark && <Icon name={mark === 'mixed' ? 'minus' : 'check'} size={14} />}
        </span>
      )}
      <span className={styles.name}>{division.name}</span>
    </div>
  );
}

/** Whether a division comes with one above it that is chosen. */
function isCovered(tree: Tree, division: Division, chosen: ReadonlySet<string> | undefined): boolean {
  return chosen !== undefined && chosen.size > 0 && chosenAbove(tree, chosen, division) !== undefined;
}
