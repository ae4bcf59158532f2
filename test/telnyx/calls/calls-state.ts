/** The part of the account that calls use. */
import type { Reply } from '../replies.ts';
import type { Plan } from './clock.ts';
import type { Leg, Speech } from './hooks.ts';
import type { Person } from './person.ts';

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

/** A sound that a person hears or has heard. */
export type Heard = {
  /** The text that was spoken; null for a file. */
  readonly text: string | null;
  /** The size of the file; null for a text. */
  readonly bytes: number | null;
  status: 'playing' | 'completed' | 'stopped';
};

export type LegLog = {
  readonly heard: Heard[];
  /** The digits that the account sent. */
  digitsSent: string;
  /** The digits that the person pressed. */
  pressed: string;
};

/** A speech, a file that came with the request, or the address of a file. */
export type Source = Speech['content'] | { readonly url: string };

export type Playing = {
  readonly playRef: string;
  readonly source: Source;
  readonly targets: string;
  readonly isOverlay: boolean;
  /** Infinity: until it is stopped. */
  readonly runs: number;
  hasStarted: boolean;
  end: Plan | null;
};

export type Player = { current: Playing | null; readonly queue: Playing[] };

export type CallsState = {
  readonly applications: Map<string, Application>;
  readonly outboundProfiles: Map<string, OutboundProfile>;
  /** The dials of the last seconds, by epoch milliseconds. */
  readonly dials: Set<{ readonly atMs: number }>;
  /** By `call_control_id`. */
  readonly legs: Map<string, Leg>;
  /** The replies to commands with a `command_id`, by leg and id. */
  readonly commands: Map<string, { readonly atMs: number; readonly reply: Reply }>;
  /** The function that runs when the person of a ringing leg answers, by `call_control_id`. */
  readonly ringing: Map<string, () => void>;
  /** The plans of the legs that have not run yet. */
  readonly plans: Set<Plan>;
  /** The sounds that are played on each leg, by `call_control_id`. */
  readonly players: Map<string, Player>;
  /** The overlays that are played on each leg, by `call_control_id`. */
  readonly overlays: Map<string, Player>;
  /** The legs in a conference, by its id. */
  readonly conferences: Map<string, Set<Leg>>;
  /** By `call_control_id`. */
  readonly logs: Map<string, LegLog>;
  /** The changes of people that the controls made, by phone number. */
  readonly people: Map<string, Partial<Person>>;
};

export function createCallsState(): CallsState {
  return {
    applications: new Map(),
    outboundProfiles: new Map(),
    dials: new Set(),
    legs: new Map(),
    commands: new Map(),
    ringing: new Map(),
    plans: new Set(),
    players: new Map(),
    overlays: new Map(),
    conferences: new Map(),
    logs: new Map(),
    people: new Map(),
  };
}

/** Forgets the applications and the calls of the account. Nothing of the calls happens any more. */
export function clearCalls(calls: CallsState): void {
  for (const plan of calls.plans) plan.cancel();
  // A file that is being fetched is not played any more.
  for (const players of [calls.players, calls.overlays]) {
    for (const player of players.values()) player.current = null;
  }
  for (const part of Object.values(calls)) part.clear();
}
