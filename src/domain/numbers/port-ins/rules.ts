import type { Machine } from '../../../lib/machine.ts';

export const PORT_IN_STATUSES = [
  'draft',
  'in_review',
  'action_needed',
  'foc_confirmed',
  'completed',
  'cancelled',
] as const;
export type PortInStatus = (typeof PORT_IN_STATUSES)[number];

/**
 *  draft ══> in_review ──> foc_confirmed ──> completed
 *    ║        ║ ▲  │              │
 *    ║        ║ ║  ├──────────────┴──> action_needed
 *    ║        ║ ╚══╪═══════════════════╝   ║  │
 *    ╚════════╩════╪═══════════════════════╝  │
 *             ║    └──────> cancelled <───────┘
 *             ╚═══════════════▲
 *
 * Double lines are the customer's moves (submit and cancel), single ones what the carrier reports. FOC is the firm
 * order commitment: the losing carrier has named the date, and from there on only the carrier moves the port-in.
 */
export const customerMachine: Machine<PortInStatus> = {
  draft: ['in_review', 'cancelled'],
  in_review: ['cancelled'],
  action_needed: ['in_review', 'cancelled'],
  foc_confirmed: [],
  completed: [],
  cancelled: [],
};

/** The single lines. */
export const carrierMachine: Machine<PortInStatus> = {
  draft: [],
  in_review: ['action_needed', 'foc_confirmed', 'cancelled'],
  action_needed: ['cancelled'],
  foc_confirmed: ['completed', 'action_needed'],
  completed: [],
  cancelled: [],
};

/** Those that are under way or may get there: a tenant that is deleted ends them all. */
export const OPEN_STATUSES = ['draft', 'in_review', 'action_needed', 'foc_confirmed'] as const;

/** Those whose details can be corrected. */
export const CORRECTABLE_STATUSES: readonly PortInStatus[] = ['draft', 'action_needed'];

export const NUMBERS_MAX = 100;

/** Milliseconds after which a cancellation whose request gave no outcome is taken up by the reconciler. */
export const CANCEL_RECONCILE_MS = 30_000;

/** Those that the carrier has been asked for: their numbers are in no other port-in. */
export const SUBMITTED_STATUSES = ['in_review', 'action_needed', 'foc_confirmed'] as const;

/** Why a number is not portable that needs no carrier to tell. */
export const ALREADY_HERE = 'This number is already in use here.';
export const ALREADY_COMING = 'This number is already being ported in.';
