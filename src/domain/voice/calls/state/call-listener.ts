/**
 * Web clients that listen to a call. They are not parties. The gateway sends them the audio, and sends their voice to
 * the parties in `speaksTo`.
 */

export const LISTENER_HEARERS = ['none', 'agent', 'all'] as const;
export type ListenerHearers = (typeof LISTENER_HEARERS)[number];

/** The most web clients that listen to one call. */
export const LISTENERS_MAX = 10;

export type CallListener = {
  readonly id: string;
  readonly webClientId: string;
  /** The parties that hear the listener. */
  readonly speaksTo: ListenerHearers;
  /** False until the customer has heard the required announcement. */
  readonly isActive: boolean;
};

/** The reason why a listener was removed. */
export type ListenerEnd = 'api_request' | 'hung_up' | 'announcement_failed' | 'voicemail' | 'call_ended';
