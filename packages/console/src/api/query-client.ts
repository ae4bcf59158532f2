import { DialplaneError } from '@dialplane/sdk/resources';
import { QueryClient } from '@tanstack/react-query';

/** Data is fresh for this long; live events refresh it earlier. */
const STALE_MS = 10_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // The client of the API has repeated what may pass.
        retry: false,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** True if the error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return DialplaneError.is(error) && error.status === 401;
}
