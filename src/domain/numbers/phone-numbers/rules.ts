import type { Machine } from '../../../lib/machine.ts';

export const NUMBER_STATUSES = ['pending', 'active', 'suspended', 'released'] as const;
export type NumberStatus = (typeof NUMBER_STATUSES)[number];

/**
 *  pending ──> active <──> suspended
 *     │           │            │
 *     └───────────┴────────────┴──> released
 *
 * `pending` is an order whose answer is still owed. A number that was released is bought again under a new id.
 */
export const numberMachine: Machine<NumberStatus> = {
  pending: ['active', 'released'],
  active: ['suspended', 'released'],
  suspended: ['active', 'released'],
  released: [],
};

/** Digits that `contains` may hold: a national number has ten. */
export const CONTAINS_DIGITS_MAX = 10;
export const LOCALITY_CHARS_MAX = 100;

/** Milliseconds after which an order whose request gave no outcome is taken up by the reconciler. */
export const ORDER_RECONCILE_MS = 30_000;

/** Ledger time for which an order the carrier does not know is placed again; afterwards nobody waits for it. */
export const ORDER_PLACE_WINDOW = '1 hour';
