import { DialplaneError } from '@dialplane/sdk/resources';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Data is fresh for this long; live events refresh it earlier. */
const STALE_MS = 10_000;

/** @param onSignedOut called when a request is refused because the session has ended */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const check = (error: unknown) => {
    if (DialplaneError.is(error) && error.code === 'not_signed_in') onSignedOut();
  };
  return new QueryClient({
    // The router itself answers to a session that cannot be read.
    queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== 'session' && check(error) }),
    mutationCache: new MutationCache({ onError: check }),
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

/** True if the error says that no user is signed in. */
export function isSignedOut(error: unknown): boolean {
  return DialplaneError.is(error) && error.status === 401;
}
