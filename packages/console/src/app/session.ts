import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { ConsoleSessionWithVersion } from '../api/generated/operator-types.ts';
import { readSession } from '../api/operator.ts';
import { noteVersion } from '../api/standing.ts';

/** The server may have been updated since the pages of this tab were loaded. */
async function readSessionAndVersion(): Promise<ConsoleSessionWithVersion> {
  const session = await readSession();
  noteVersion(session.version);
  return session;
}

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSessionAndVersion, staleTime: 60_000 });

/** Returns the session of this browser. For pages behind the sign-in. */
export function useSession(): ConsoleSessionWithVersion {
  return useSuspenseQuery(sessionQuery).data;
}
