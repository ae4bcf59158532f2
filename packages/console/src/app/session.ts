import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { ConsoleSessionWithVersion } from '../api/generated/operator-types.ts';
import { readSession } from '../api/operator.ts';

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

/** Returns the session of this browser. For pages behind the sign-in. */
export function useSession(): ConsoleSessionWithVersion {
  return useSuspenseQuery(sessionQuery).data;
}
