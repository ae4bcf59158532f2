/** The part of the account that calls use. */
import type { Reply } from '../replies.ts';
import type { Leg } from './hooks.ts';

export type Application = {
  readonly record_type: 'call_control_application';
  readonly id: string;
  application_name: string;
  active: boolean;
  webhook_event_url: string;
  webhook_event_failover_url: string | null;
  webhook_api_version: '1' | '2';
  outbound: { readonly outbound_voice_profile_id?: string; readonly channel_limit?: number };
  first_command_timeout: boolean;
  first_command_timeout_secs: number;
  readonly created_at: string;
  updated_at: string;
};

export type OutboundProfile = {
  readonly record_type: 'outbound_voice_profile';
  readonly id: string;
  name: string;
  enabled: boolean;
  /** ISO 3166 codes of two letters. */
  whitelisted_destinations: readonly string[];
  concurrent_call_limit: number | null;
  readonly created_at: string;
  updated_at: string;
};

export type CallsState = {
  readonly applications: Map<string, Application>;
  readonly outboundProfiles: Map<string, OutboundProfile>;
  /** By `call_control_id`. */
  readonly legs: Map<string, Leg>;
  /** The replies to commands with a `command_id`, by leg and id. */
  readonly commands: Map<string, { readonly atMs: number; readonly reply: Reply }>;
};

export function createCallsState(): CallsState {
  return { applications: new Map(), outboundProfiles: new Map(), legs: new Map(), commands: new Map() };
}

/** Forgets the applications and the calls of the account. */
export function clearCalls(calls: CallsState): void {
  for (const part of Object.values(calls)) part.clear();
}
