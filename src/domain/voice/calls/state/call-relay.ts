/** How the relay of a call ends. */
/**
 * Why a relay ended. `agent_ended`: the agent sent `end` · `agent_closed`: its socket closed without `end` ·
 * `agent_silent`: it owed an answer for 10 s · `agent_slow`: it did not read · `agent_overflow`: more text than can be
 * spoken · `protocol_error`: messages of no known form · `speech_failed`: nothing could be spoken or recognised ·
 * `connect_failed`: not connected within 10 s · `transferred`: another agent has the customer.
 */
export const RELAY_END_REASONS = [
  'agent_ended',
  'agent_closed',
  'agent_silent',
  'agent_slow',
  'agent_overflow',
  'protocol_error',
  'speech_failed',
  'connect_failed',
  'carrier_error',
  'transferred',
  'api_request',
  'call_ended',
] as const;
export type RelayEndReason = (typeof RELAY_END_REASONS)[number];

/**
 * The reason for the end of a relay, if it differs from the reason of the stream, and the data that the agent passed
 * on.
 */
export type RelayEnding = { readonly reason: RelayEndReason; readonly handoffData: string | null };
