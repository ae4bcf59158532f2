import type { Message } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';

/**
 * The rate of delivery is computed from this many of the newest outbound texts, so its cost does not grow with the
 * traffic.
 */
export const TEXTS_MAX = 100;

/** The newest outbound texts that were delivered or have failed. */
type Fates = { readonly decided: readonly Message[]; readonly delivered: number };

/** Reads how the newest outbound texts ended. */
export function useFates() {
  const query = useRead(['messages', 'newest outbound'], (api) =>
    api.messages.list({ direction: 'outbound', limit: TEXTS_MAX }),
  );
  const decided = query.data?.data.filter(({ status }) => status === 'delivered' || status === 'failed') ?? [];
  const delivered = decided.filter(({ status }) => status === 'delivered').length;
  const fates: Fates = { decided, delivered };
  return { ...query, fates };
}
