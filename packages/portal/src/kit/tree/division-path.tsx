import { useQuery } from '@tanstack/react-query';
import { resultQuery } from '../../api/queries.ts';
import { TextLink } from '../navigation/link-button.tsx';

/** The department with those above it, and a link to its place in the company. */
export function DivisionPath({ id, company }: { id: string; company: string }) {
  const { data } = useQuery(resultQuery(id, ['division']));
  const found = data?.items[0];
  return (
    <TextLink to="/companies/$id" params={{ id: company }} search={{ division: id }} inherit>
      {found ? found.path.join(' › ') : id}
    </TextLink>
  );
}
