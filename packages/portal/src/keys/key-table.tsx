import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { SortHeader } from '../parts/list/sort-header.tsx';
import { When } from '../parts/when.tsx';
import { type Key, Life, Maker, ScopeChips, Status, textOf } from './key-parts.tsx';
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
  const { t } = useLingui();
  const column = (field: string, label: string) => <SortHeader {...{ field, label, sort, sortBy }} />;
  return (
    <div className="surface keys">
      <table className="table">
        <thead>
          <tr>
            {column('name', t`Name`)}
            <th>
              <Trans>Sees</Trans>
            </th>
            {column('status', t`Status`)}
            {column('requests', t`30 days`)}
            {column('lastUsedAt', t`Last used`)}
            {column('expiresAt', t`Ends`)}
            {/* Narrower windows have it on the page of the key. */}
            <SortHeader field="createdAt" label={t`Created`} className="if-wide" {...{ sort, sortBy }} />
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
        <div className="note mono">{textOf(shown)}</div>
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
          <div className="note">
            <Maker name={shown.createdBy} />
          </div>
        )}
      </td>
    </tr>
  );
}
