import type { Machine } from '../../../lib/machine.ts';

export const ADDRESS_STATUSES = ['pending', 'validated', 'rejected'] as const;
export type AddressStatus = (typeof ADDRESS_STATUSES)[number];

/**
 *  pending ──> validated
 *     └──────> rejected
 *
 * `pending` is an address whose validation is still owed an answer. An address never changes: another place is another
 * address.
 */
export const addressMachine: Machine<AddressStatus> = {
  pending: ['validated', 'rejected'],
  validated: [],
  rejected: [],
};

/** Milliseconds after which an address whose request gave no outcome is taken up by the reconciler. */
export const ADDRESS_RECONCILE_MS = 30_000;
