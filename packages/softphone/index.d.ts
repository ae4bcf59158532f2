/** A call as the seat sees it. Numbers are E.164; the caller of an inbound call may be a short code or "anonymous". */
export type SoftphoneCall = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly state: 'incoming' | 'dialing' | 'ringing' | 'connected' | 'ended';
  readonly muted: boolean;
  readonly held: boolean;
};

/** hung_up and declined are this seat's own doing. */
export type EndReason = 'hung_up' | 'declined' | 'answered_elsewhere' | 'no_answer' | 'ended';

/** What went wrong: a code of the API, `not_registered`, `seat_busy`, or of this library (see README). */
export class SoftphoneError extends Error {
  readonly code: string;
  readonly callId: string | null;
  constructor(code: string, message: string, callId?: string | null);
}

export type SoftphoneEvents = {
  /** Logged in, also after the connection was lost and made again. */
  registered: { readonly webClientId: string; readonly expiresAt: Date };
  /** Somebody calls. */
  incoming: SoftphoneCall;
  /** The other party's phone rings. */
  ringing: SoftphoneCall;
  /** Both parties are there. */
  answered: SoftphoneCall;
  ended: SoftphoneCall & { readonly reason: EndReason; readonly outcome: string | null };
  error: SoftphoneError;
  /** The connection is gone. `code` is a close code of docs/softphone-protocol.md. */
  disconnected: { readonly code: number; readonly reason: string; readonly willReconnect: boolean };
};

/** What a transport tells. */
export type TransportEvent =
  | {
      readonly type: 'registered';
      readonly webClientId: string;
      readonly expiresAt: Date;
      /** Calls that the seat is on; each is told of next. */
      readonly callIds: readonly string[];
    }
  | {
      readonly type: 'incoming' | 'dialing';
      readonly callId: string;
      readonly direction: 'inbound' | 'outbound';
      readonly from: string;
      readonly to: string;
      readonly ref?: string;
    }
  | { readonly type: 'ringing' | 'answered'; readonly callId: string }
  | { readonly type: 'ended'; readonly callId: string; readonly reason: EndReason; readonly outcome: string | null }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly callId: string | null;
      readonly ref?: string;
    }
  | { readonly type: 'closed'; readonly code: number; readonly reason: string };

/**
 * How signalling and audio travel. The audio of a call is the transport's own business: it begins and ends with the
 * call. One over a WebSocket is here; one over WebRTC would be another.
 */
export type Transport = {
  /** Told of everything; set once, before `open`. */
  listener: (event: TransportEvent) => void;
  /** Connects and logs in. What comes of it is told by `registered`, or by `closed`. */
  open(token: string): void;
  /** Lets a page ask for the microphone within a click, before a call needs it. Rejects where it is refused. */
  prepareAudio(): Promise<void>;
  answer(callId: string): void;
  decline(callId: string): void;
  hangUp(callId: string): void;
  place(call: { readonly to: string; readonly from?: string; readonly ref: string }): void;
  setMuted(callId: string, on: boolean): void;
  setHeld(callId: string, on: boolean): void;
  sendDigits(callId: string, digits: string): void;
  close(): void;
};

export type SoftphoneOptions = {
  /** Of the installation: https://phone.example. Needed unless a transport is given. */
  url?: string;
  transport?: Transport;
  /** Of the microphone; echo cancellation, noise suppression and gain control are on by default. */
  microphone?: MediaTrackConstraints;
};

/** A login token, or what fetches a new one from your server: only with the latter is a lost connection made again. */
export type TokenSource = string | (() => string | Promise<string>);

export class Softphone {
  constructor(options: SoftphoneOptions);
  /** Calls that have not ended, the oldest first. A seat has one, but for an emergency. */
  readonly calls: readonly SoftphoneCall[];
  readonly isRegistered: boolean;
  /** Logs in. Resolves once registered; rejects with a SoftphoneError (`login_refused`, `disconnected`). */
  connect(token: TokenSource): Promise<void>;
  disconnect(): void;
  /** Answers the call that rings. Rejects with `microphone_refused` where there is none to speak into. */
  answer(callId?: string): Promise<void>;
  decline(callId?: string): void;
  /**
   * Calls a number (E.164, 911 or 933), from the tenant's oldest number or the one named (id or E.164). Rejects with
   * `disconnected` where the answer was lost: with a `ref` of your own it can be asked for again, and is one call.
   */
  place(to: string, options?: { from?: string; ref?: string }): Promise<SoftphoneCall>;
  hangUp(callId?: string): void;
  mute(on?: boolean, callId?: string): void;
  hold(on?: boolean, callId?: string): void;
  /** Presses keys: 0-9, A-D, * and #; at most 32. */
  sendDigits(digits: string, callId?: string): void;
  /** @returns what takes the listener away again */
  on<Type extends keyof SoftphoneEvents>(type: Type, listener: (event: SoftphoneEvents[Type]) => void): () => void;
}

/** Signalling and audio over two WebSockets, with the page's microphone and speaker. */
export class WebSocketTransport implements Transport {
  constructor(options: { url: string; microphone?: MediaTrackConstraints });
  listener: (event: TransportEvent) => void;
  open(token: string): void;
  prepareAudio(): Promise<void>;
  answer(callId: string): void;
  decline(callId: string): void;
  hangUp(callId: string): void;
  place(call: { readonly to: string; readonly from?: string; readonly ref: string }): void;
  setMuted(callId: string, on: boolean): void;
  setHeld(callId: string, on: boolean): void;
  sendDigits(callId: string, digits: string): void;
  close(): void;
}
