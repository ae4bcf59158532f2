import { DialplaneError } from '@dialplane/sdk/resources';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteFailure } from './standing.ts';

/** Data is fresh for this time; live events refresh it earlier. */
const STALE_MS = 10_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    // The router handles a session that cannot be read.
    queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== 'session' && noteFailure(error) }),
    mutationCache: new MutationCache({ onError: noteFailure }),
    defaultOptions: {
      // In a browser that is offline, requests fail immediately instead of waiting invisibly. The page retries them.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: STALE_MS,
        // The API client has already retried temporary errors.
        retry: false,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** True if the error says that no user is signed in. */
export function isSignedOut(error: unknown): boolean {
  return DialplaneError.is(error) && error.status === 401;
}
