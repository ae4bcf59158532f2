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
 * Double lines are the customer's moves (submit and cancel), single lines the carrier's reports. FOC is the firm order
 * commitment: the losing carrier has set the date, and from then on only the carrier moves the port-in.
 */
export const customerMachine: Machine<PortInStatus> = {
  draft: ['in_review', 'cancelled'],
  in_review: ['cancelled'],
  action_needed: ['in_review', 'cancelled'],
  foc_confirmed: [],
  completed: [],
  cancelled: [],
};

/** The carrier's moves: the single lines in the diagram above. */
export const carrierMachine: Machine<PortInStatus> = {
  draft: [],
  in_review: ['action_needed', 'foc_confirmed', 'cancelled'],
  action_needed: ['cancelled'],
  foc_confirmed: ['completed', 'action_needed'],
  completed: [],
  cancelled: [],
};

/** Statuses that are not final. Deleting a tenant cancels its port-ins in them. */
export const OPEN_STATUSES = ['draft', 'in_review', 'action_needed', 'foc_confirmed'] as const;

/** Returns true for a final status. */
export function hasEnded(status: PortInStatus): boolean {
  return status === 'completed' || status === 'cancelled';
}

/** Statuses that allow corrections of the details. */
export const CORRECTABLE_STATUSES: readonly PortInStatus[] = ['draft', 'action_needed'];

export const NUMBERS_MAX = 100;

/** The reconciler finishes a cancellation this many milliseconds after a request without an outcome. */
export const CANCEL_RECONCILE_MS = 30_000;

/** In these statuses the carrier has a request for the numbers, so no other port-in may request them. */
export const SUBMITTED_STATUSES = ['in_review', 'action_needed', 'foc_confirmed'] as const;

/** Reasons why a number is not portable that do not come from the carrier. */
export const ONLY_US = 'Only numbers of the United States can be ported in.';
export const PREMIUM = 'Premium numbers (area code 900, exchange 976) cannot be ported in.';
export const ALREADY_HERE = 'This number is already in use here.';
export const ALREADY_COMING = 'This number is already being ported in.';
