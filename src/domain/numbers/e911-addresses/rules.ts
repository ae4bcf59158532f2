import type { Machine } from '../../../lib/machine.ts';

export const ADDRESS_STATUSES = ['pending', 'validated', 'rejected'] as const;
export type AddressStatus = (typeof ADDRESS_STATUSES)[number];

/**
 *  pending ──> validated
 *     └──────> rejected
 *
 * A `pending` address waits for the carrier's validation. An address never changes: another location is another
 * address.
 */
export const addressMachine: Machine<AddressStatus> = {
  pending: ['validated', 'rejected'],
  validated: [],
  rejected: [],
};

/** The reconciler finishes an address this many milliseconds after a request without an outcome. */
export const ADDRESS_RECONCILE_MS = 30_000;
