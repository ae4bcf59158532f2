import type { WebClientLeg } from '../../src/domain/voice/index.ts';

/** A leg that rings a web client. */
export const RUNG: WebClientLeg = {
  callId: 'call_1',
  legId: 'leg_1',
  wasRung: true,
  state: 'ringing',
  other: null,
  transfer: null,
  consultedBy: null,
  failedTransfer: null,
  endReason: null,
};
