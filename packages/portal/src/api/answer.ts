import { type DefaultError, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Asks the service as `useQuery` does. A failure stays until there is an answer: otherwise each further attempt would render that it
 * waits. That would remove the message and the button of the failure, and the text that the user is typing beside them.
 */
export function useAnswer<Answer, Key extends QueryKey>(
  options: UseQueryOptions<Answer, DefaultError, Answer, Key>,
) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(options);
  const [last, setLast] = useState(error);
  if (!isPending && last !== error) setLast(error);
  return { data, error: isPending ? last : error, isPlaceholderData, refetch };
}
