import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { OperationTexts } from './operation-text.ts';

const CALL: readonly ErrorCode[] = ['call_not_found', 'tenant_restricted_key', 'call_not_active'];

/** The operations that play the other side in test mode. */
export const TEST_MODE_TEXTS: OperationTexts = {
  simulateInboundMessage: {
    description: 'Lets a text arrive on a number, as if a person had sent it. Words such as STOP take effect.',
    errors: [
      'phone_number_not_found',
      'tenant_restricted_key',
      'number_not_sms_capable',
      'empty_message',
      'body_too_long',
    ],
    events: ['message.received', 'opt_out.created', 'opt_out.removed'],
  },
  simulateMessageReceipt: {
    description: 'Ends a queued text now as `delivered` or `failed`, instead of a second after it was sent.',
    errors: ['message_not_found', 'tenant_restricted_key'],
    events: ['message.delivered', 'message.failed'],
  },
  listTestOutbox: { description: 'Returns the texts that handsets have received, newest first.' },
  getTestReviews: { description: 'Returns whether brands, campaigns and port-ins are approved at once.' },
  setTestReviews: {
    description: 'With `manual`, brands, campaigns and port-ins wait until you review them; with `auto` they pass.',
  },
  reviewTestBrand: {
    description: 'Ends the vetting of a brand as the registry would.',
    errors: ['brand_not_found', 'review_not_pending', 'tenant_restricted_key', 'key_not_permitted'],
    events: ['brand.status_changed'],
  },
  reviewTestCampaign: {
    description: 'Decides on a campaign as a reviewer would.',
    errors: ['campaign_not_found', 'review_not_pending', 'tenant_restricted_key'],
    events: ['campaign.status_changed'],
  },
  advanceTestPortIn: {
    description: 'Takes the next step of a port-in as the losing carrier would.',
    errors: ['port_in_not_found', 'review_not_pending', 'number_unavailable', 'tenant_restricted_key'],
    events: ['port_in.status_changed', 'number.status_changed'],
  },
  portOutTestPhoneNumber: {
    description:
      'Plays another carrier that asks for a number: `pending`, then `ported`, which ends the number here, or ' +
      '`rejected`.',
    errors: ['phone_number_not_found', 'review_not_pending', 'tenant_restricted_key'],
    events: ['number.port_out', 'number.status_changed'],
  },
  createTestInboundCall: {
    description: 'Lets a call arrive on a number. It is routed as any call. `script` says what the caller does.',
    errors: ['phone_number_not_found', 'tenant_restricted_key'],
    events: ['call.started', 'call.answered', 'call.missed', 'call.completed', 'voicemail.created'],
  },
  answerTestCall: {
    description: 'Lets a party that is rung answer now.',
    errors: CALL,
    events: ['call.answered'],
  },
  hangupTestCall: { description: 'Lets a party hang up.', errors: CALL, events: ['call.completed', 'call.missed'] },
  dtmfTestCall: {
    description: 'Lets a party press keys.',
    errors: CALL,
    events: ['call.dtmf', 'call.gather', 'call.menu'],
  },
  speechTestCall: {
    description: 'Lets a party say something. A transcribed call has it as an utterance.',
    errors: CALL,
    events: ['call.transcript'],
  },
  voicemailTestCall: {
    description: 'Lets no target answer, and the caller leave a message.',
    errors: CALL,
    events: ['voicemail.created'],
  },
  takeOverTestCall: {
    description:
      'Makes the person with this number passive for the rest of the call: it answers, presses keys, speaks and hangs ' +
      'up only on request. While it is on the call, no party hangs up automatically for five minutes.',
    errors: CALL,
  },
  openTestCallAudio: {
    description:
      'Opens the audio of a person that was taken over: a WebSocket through which a program hears what the person hears, ' +
      'and speaks as the person. A newer socket of the person replaces the older one.',
    errors: [...CALL, 'carrier_unavailable'],
  },
  getTestClock: { description: 'Returns the time of the test ledger.' },
  advanceTestClock: {
    description:
      'Moves the clock of the test ledger forward. The reply comes after everything that fell due has run, in order.',
  },
  listTestFaults: { description: 'Returns the faults that are in force.' },
  setTestFault: {
    description: 'Makes the simulated carrier misbehave for the next `times` occasions of this kind.',
  },
  resetTestLedger: { description: 'Deletes everything in the test ledger and sets its clock back to real time.' },
};
