import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { SortHeader } from '../parts/list/sort-header.tsx';
import { When } from '../parts/when.tsx';
import { type Key, Life, Maker, ScopeChips, Status, textOf, useFieldWords } from './key-parts.tsx';
import { Spark } from './spark.tsx';

/** The keys as a table, whose columns the service sorts by. */
export function KeyTable({
  keys,
  sort,
  sortBy,
}: {
  keys: readonly Key[];
  sort: string;
  sortBy: (sort: string) => void;
}) {
  const words = useFieldWords();
  const column = (field: keyof typeof words, className?: string) => (
    <SortHeader label={words[field]} {...{ field, className, sort, sortBy }} />
  );
  return (
    <div className="surface keys">
      <table className="table">
        <thead>
          <tr>
            {column('name')}
            <th>
              <Trans>Sees</Trans>
            </th>
            {column('status')}
            {column('requests')}
            {column('lastUsedAt')}
            {column('expiresAt')}
            {/* Narrower windows have it on the page of the key. */}
            {column('createdAt', 'if-wide')}
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <Row key={key.id} shown={key} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ shown }: { shown: Key }) {
  return (
    <tr>
      <td>
        <Link to="/settings/api-keys/$id" params={{ id: shown.id }} className="row-link">
          {shown.name}
        </Link>
        <div className="hint mono">{textOf(shown)}</div>
      </td>
      <td>
        <ScopeChips scope={shown} />
      </td>
      <td>
        <div className="chips">
          <Status status={shown.status} />
          <Life shown={shown} />
        </div>
      </td>
      <td>
        <Spark shown={shown} />
      </td>
      <td>{shown.lastUsedAt ? <When at={shown.lastUsedAt} /> : <Trans>Never</Trans>}</td>
      <td>{shown.expiresAt ? <When at={shown.expiresAt} /> : <Trans>Never</Trans>}</td>
      <td className="if-wide">
        <When at={shown.createdAt} />
        {shown.createdBy !== null && (
          <div className="hint">
            <Maker name={shown.createdBy} />
          </div>
        )}
      </td>
    </tr>
  );
}
