import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type OwnSession, readSession } from '../api/operator.ts';

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

/** Returns the session of this browser. For pages behind the sign-in. */
export function useSession(): OwnSession {
  return useSuspenseQuery(sessionQuery).data;
}
