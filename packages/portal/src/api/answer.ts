import { type DefaultError, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Asks the service as `useQuery` does. What has failed has failed until there is an answer: otherwise each further attempt would draw that it
 * waits, and take away the words and the button of the failure, and what somebody is typing beside them.
 */
export function useAnswer<Answer, Key extends QueryKey>(
  options: UseQueryOptions<Answer, DefaultError, Answer, Key>,
) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(options);
  const [last, setLast] = useState(error);
  if (!isPending && last !== error) setLast(error);
  return { data, error: isPending ? last : error, isPlaceholderData, refetch };
}
