/** Web clients that listen to a call. They are no parties: the gateway lets them hear, and be heard by some or all. */

export const LISTENER_HEARERS = ['none', 'agent', 'all'] as const;
export type ListenerHearers = (typeof LISTENER_HEARERS)[number];

/** Web clients that listen to one call. */
export const LISTENERS_MAX = 10;

export type CallListener = {
  readonly id: string;
  readonly webClientId: string;
  /** Who hears it. */
  readonly speaksTo: ListenerHearers;
  /** False until the customer has heard the announcement that is due before. */
  readonly isActive: boolean;
};

/** Why a listener does not hear the call any more. */
export type ListenerEnd = 'api_request' | 'hung_up' | 'announcement_failed' | 'voicemail' | 'call_ended';
