import type { PortIn } from '@dialplane/sdk/resources';
import { texts } from '../../texts/port-ins.ts';

const t = texts.stages;

export type PortInStatus = PortIn['status'];

export const STATUSES: readonly PortInStatus[] = [
  'draft',
  'in_review',
  'action_needed',
  'foc_confirmed',
  'completed',
  'cancelled',
];

/** True while the details and documents can be corrected. */
export const canCorrect = (status: PortInStatus): boolean => status === 'draft' || status === 'action_needed';
export const canCancel = (status: PortInStatus): boolean => canCorrect(status) || status === 'in_review';

/** The next steps that the carrier may take, and their names in the test control. */
export const NEXT_STEPS = {
  draft: [],
  in_review: [
    { id: 'foc_confirmed', title: t.confirmADate, kind: 'primary' },
    { id: 'action_needed', title: t.askCorrection, kind: 'plain' },
    { id: 'cancelled', title: t.cancel, kind: 'danger' },
  ],
  action_needed: [{ id: 'cancelled', title: t.cancel, kind: 'danger' }],
  foc_confirmed: [
    { id: 'completed', title: t.moveTheNumbers, kind: 'primary' },
    { id: 'action_needed', title: t.askCorrection, kind: 'plain' },
  ],
  completed: [],
  cancelled: [],
} as const;
