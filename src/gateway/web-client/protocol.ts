/**
 * The signalling protocol of web clients, version 1: JSON messages over a WebSocket at /v1/softphone.
 * docs/softphone-protocol.md specifies it, with its states. `@dialplane/softphone` is the browser's side, and repeats
 * these types.
 *
 *   offline ──register──▶ registered ──incoming──▶ ringing ──answer──▶ connected ──ended──▶ registered
 *                             └──────place──▶ dialing ──answered──▶ connected
 */
import type { WebSocket } from 'ws';
import type {
  ConsultingAgent,
  ListenerHearers,
  OwnQueue,
  QueueOfCall,
  ShownTransfer,
  TransferFailure,
} from '../../domain/voice/index.ts';

/** Why a call is over for this web client. */
export const END_REASONS = ['hung_up', 'declined', 'answered_elsewhere', 'no_answer', 'ended'] as const;
export type EndReason = (typeof END_REASONS)[number];

export type ClientMessage =
  /** Logs in; not needed if the token is in the query. */
  | { readonly type: 'register'; readonly token: string }
  | { readonly type: 'answer' | 'decline' | 'hang_up'; readonly call_id: string }
  /** Asks for the `media` of a call again, because its audio was lost. */
  | { readonly type: 'media'; readonly call_id: string }
  /** `from`: one of the tenant's numbers, by id or E.164; by default its oldest. The answer repeats `ref`. */
  | { readonly type: 'place'; readonly to: string; readonly from?: string; readonly ref?: string }
  /**
   * While a web client is muted, the other parties do not hear it. While it is on hold, it does not hear them either.
   */
  | { readonly type: 'mute' | 'hold'; readonly call_id: string; readonly on: boolean }
  | { readonly type: 'dtmf'; readonly call_id: string; readonly digits: string }
  /**
   * Transfers the customer to another agent: when that agent answers, or once the two agents have talked (`consult`).
   */
  | {
      readonly type: 'transfer';
      readonly call_id: string;
      readonly to: string;
      readonly mode?: ShownTransfer['mode'];
      readonly announce_text?: string;
    }
  /** Ends a transfer with `consult`: the new agent takes the call, or the customer returns. */
  | { readonly type: 'complete_transfer' | 'cancel_transfer'; readonly call_id: string }
  /** Sets whether the web client takes callers of one of its queues; without `queue_id`, of all of them. */
  | { readonly type: 'availability'; readonly availability: 'available' | 'away'; readonly queue_id?: string };

/** A call as the web client sees it. */
export type WebClientCallView = {
  readonly call_id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  /** The name that the caller of an inbound call shows; null if there is none. */
  readonly caller_name: string | null;
  /** The name of the tenant's contact with the other party's number; null if there is none. */
  readonly contact_name: string | null;
  /** The queue whose caller it is; null if there is none. */
  readonly queue: QueueOfCall | null;
};

export type ServerMessage =
  | {
      readonly type: 'registered';
      readonly web_client_id: string;
      /** The time when the session ends, unless the web client is on a call then (RFC 3339). */
      readonly expires_at: string;
      /** Calls of the web client. Each is sent next, like a new call. */
      readonly call_ids: readonly string[];
    }
  /** The queues that have the web client as an agent; sent after a login, and as the answer to `availability`. */
  | { readonly type: 'queues'; readonly queues: readonly OwnQueue[] }
  /** The web client rings. */
  | ({ readonly type: 'incoming'; readonly consulted_by: ConsultingAgent | null } & WebClientCallView)
  /**
   * The call that the web client dialled; `ref` is the `ref` of its `place`. With `listener`, it is a call that the web
   * client listens to.
   */
  | ({
      readonly type: 'dialing';
      readonly ref?: string;
      readonly listener?: { readonly id: string; readonly speaks_to: ListenerHearers };
    } & WebClientCallView)
  /** The other party's phone rings. */
  | { readonly type: 'ringing'; readonly call_id: string }
  /**
   * The address of the audio; sent as soon as the web client's own leg is answered. The token is valid for one minute.
   */
  | { readonly type: 'media'; readonly call_id: string; readonly url: string; readonly token: string }
  /** Both parties are connected. */
  | { readonly type: 'answered'; readonly call_id: string }
  /** The transfer that the web client has started; null without one. `failure`: why the previous transfer failed. */
  | {
      readonly type: 'transfer';
      readonly call_id: string;
      readonly transfer: ShownTransfer | null;
      readonly failure?: TransferFailure;
    }
  /** The agent who talks to this web client before a transfer; null once the customer is connected to it. */
  | { readonly type: 'consult'; readonly call_id: string; readonly consulted_by: ConsultingAgent | null }
  | { readonly type: 'ended'; readonly call_id: string; readonly reason: EndReason; readonly outcome: string | null }
  /** A request was not carried out. The codes are the codes of the API, `seat_busy` and `not_registered`. */
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      /** The type of the request, even if the server does not know it; null if it had none. */
      readonly request: string | null;
      readonly call_id?: string;
      readonly ref?: string;
    };

export const SOFTPHONE_PATH = '/v1/softphone';
export const SOFTPHONE_AUDIO_PATH = '/v1/softphone/audio';

/** The longest message that a client may send, in bytes. */
export const CLIENT_MESSAGE_BYTES_MAX = 4_096;
/** A client with more unread bytes than this is cut off. This many bytes are thousands of messages. */
export const UNREAD_BYTES_MAX = 1_048_576;
/** If a client has more unread bytes than this, the errors that answer its flood are not sent. */
export const UNREAD_BYTES_FOR_ERRORS_MAX = 262_144;

/** Sends a message if the socket is open. Cuts off a client that leaves more than 1 MiB unread. */
export function send(webSocket: WebSocket, message: ServerMessage): void {
  if (webSocket.readyState !== webSocket.OPEN) return;
  webSocket.send(JSON.stringify(message));
  if (webSocket.bufferedAmount > UNREAD_BYTES_MAX) webSocket.terminate();
}

/**
 * Sends a message that a slow client may miss; dropped while its buffer is full. Answers to messages beyond a limit are
 * sent in this way, so that they do not cut a client off.
 */
export function sendIfRead(webSocket: WebSocket, message: ServerMessage): void {
  if (webSocket.bufferedAmount < UNREAD_BYTES_FOR_ERRORS_MAX) send(webSocket, message);
}
