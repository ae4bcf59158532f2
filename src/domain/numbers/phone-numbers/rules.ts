import type { Machine } from '../../../lib/machine.ts';

export const NUMBER_STATUSES = ['pending', 'active', 'suspended', 'released'] as const;
export type NumberStatus = (typeof NUMBER_STATUSES)[number];

/**
 *  pending ──> active <──> suspended
 *     │           │            │
 *     └───────────┴────────────┴──> released
 *
 * A `pending` number waits for the outcome of its order. A released number that is bought again gets a new id.
 */
export const numberMachine: Machine<NumberStatus> = {
  pending: ['active', 'released'],
  active: ['suspended', 'released'],
  suspended: ['active', 'released'],
  released: [],
};

/** Maximum digits in `contains`: a national number has ten. */
export const CONTAINS_DIGITS_MAX = 10;
export const LOCALITY_CHARS_MAX = 100;

/** Milliseconds before each repeated request for a release that the carrier refused: 24 hours in all. */
export const RELEASE_RETRY_MS = [60_000, 300_000, 1_800_000, 5_400_000, 14_400_000, 28_800_000, 35_640_000] as const;

/** The reconciler finishes an order this many milliseconds after a request without an outcome. */
export const ORDER_RECONCILE_MS = 30_000;

/** Milliseconds between requests to the carrier for an assignment that it has not confirmed. */
export const PENDING_CHECK_MS = 300_000;

/**
 * Ledger time during which an order that the carrier does not know is placed again. After this time no client waits for
 * the order.
 */
export const ORDER_PLACE_WINDOW = '1 hour';
