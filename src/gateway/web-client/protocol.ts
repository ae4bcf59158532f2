/**
 * The signalling protocol of web clients, version 1: JSON messages over a WebSocket at /v1/softphone. docs/softphone-protocol.md
 * tells it in full, with its states. `@dialplane/softphone` speaks it from the browser's side and repeats these types.
 *
 *   offline ──register──▶ registered ──incoming──▶ ringing ──answer──▶ connected ──ended──▶ registered
 *                             └──────place──▶ dialing ──answered──▶ connected
 */

/** Why a call of the web client is over, as far as the web client is concerned. */
export const END_REASONS = ['hung_up', 'declined', 'answered_elsewhere', 'no_answer', 'ended'] as const;
export type EndReason = (typeof END_REASONS)[number];

export type ClientMessage =
  /** Logs in; not needed where the token is in the query. */
  | { readonly type: 'register'; readonly token: string }
  | { readonly type: 'answer' | 'decline' | 'hang_up'; readonly call_id: string }
  /** Asks for `media` of a call once more, as its audio was lost. */
  | { readonly type: 'media'; readonly call_id: string }
  /** `from`: one of the tenant's numbers, by id or E.164; its oldest one by default. `ref` comes back in the answer. */
  | { readonly type: 'place'; readonly to: string; readonly from?: string; readonly ref?: string }
  /** Muted, the web client is not heard; on hold it neither hears nor is heard. */
  | { readonly type: 'mute' | 'hold'; readonly call_id: string; readonly on: boolean }
  | { readonly type: 'dtmf'; readonly call_id: string; readonly digits: string };

/** A call as the web client sees it. */
export type WebClientCallView = {
  readonly call_id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
};

export type ServerMessage =
  | {
      readonly type: 'registered';
      readonly web_client_id: string;
      /** When the session ends, if it is not on a call then (RFC 3339). */
      readonly expires_at: string;
      /** Calls that the web client is on. Each is told of next, as if it were new. */
      readonly call_ids: readonly string[];
    }
  /** The web client is rung. */
  | ({ readonly type: 'incoming' } & WebClientCallView)
  /** The call that was placed; `ref` is that of its `place`. */
  | ({ readonly type: 'dialing'; readonly ref?: string } & WebClientCallView)
  /** The other party's phone rings. */
  | { readonly type: 'ringing'; readonly call_id: string }
  /** Where the web client's audio goes; comes as soon as the web client's own leg is up. The token is good for one minute. */
  | { readonly type: 'media'; readonly call_id: string; readonly url: string; readonly token: string }
  /** Both parties are there. */
  | { readonly type: 'answered'; readonly call_id: string }
  | { readonly type: 'ended'; readonly call_id: string; readonly reason: EndReason; readonly outcome: string | null }
  /** What was asked for was not done. Codes are those of the API, and `seat_busy` and `not_registered`. */
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      /** The type of the message that asked, also where the server does not know it; null where it had none. */
      readonly request: string | null;
      readonly call_id?: string;
      readonly ref?: string;
    };

/** Messages of the audio socket: those of a media stream, less what a web client has no use for. */
export type AudioMessage =
  | { readonly event: 'media'; readonly payload: string }
  | {
      readonly event: 'media';
      readonly track: 'inbound';
      readonly seq: number;
      readonly timestamp_ms: number;
      readonly payload: string;
    }
  | { readonly event: 'stop'; readonly reason: string };

/** How the sockets say why they end; codes as those of the event socket where they mean the same. */
export const CLOSE = {
  /** The token is absent, altered, expired or of a web client that was revoked before. */
  badToken: [4401, 'invalid or expired token'],
  /** The web client was revoked while it was logged in. */
  revoked: [4403, 'web client revoked'],
  /** The session's time is over. */
  sessionExpired: [4408, 'session expired'],
  /** The same web client has logged in again; one at a time is. */
  replaced: [4409, 'logged in elsewhere'],
  /**
   * What is no JSON object at all (IANA: Unsupported Data is for types, 1008 for policy); of the audio socket, no message
   * of its protocol. The reason that is sent says what is wrong with it.
   */
  malformed: [1008, 'not a message of this protocol'],
  /** This node has all the web clients that it takes. */
  tooManySockets: [1013, 'too many sockets'],
  /** The node goes away: connect again. */
  restart: [1012, 'service restart'],
  /** Our fault: connect again. */
  fault: [1011, 'internal error'],
  /** Of the audio socket: the web client's leg is over. */
  callEnded: [1000, 'call ended'],
} as const satisfies Readonly<Record<string, readonly [code: number, reason: string]>>;

export type CloseReason = readonly [code: number, reason: string];

export const SOFTPHONE_PATH = '/v1/softphone';
export const SOFTPHONE_AUDIO_PATH = '/v1/softphone/audio';

/** Longest message that a client may send, in bytes. */
export const CLIENT_MESSAGE_BYTES_MAX = 4_096;
