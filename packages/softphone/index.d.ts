/**
 * `@dialplane/softphone`: one web client in the browser. It is rung, answers calls, makes calls, and plays and records
 * their audio. docs/softphone-protocol.md specifies the messages underneath.
 *
 * ```js
 * const phone = new Softphone({ url: 'https://phone.example' });
 * phone.on('incoming', (call) => phone.answer(call.id));
 * await phone.connect(() => fetch('/my-server/phone-token').then((reply) => reply.text()));
 * const call = await phone.place('+16025550143');
 * ```
 */

/** A call as this web client sees it: a snapshot, which does not change. Read `phone.calls` for the present state. */
export type SoftphoneCall = {
  /** The call's id, as in the API. */
  readonly id: string;
  /**
   * `inbound`: someone calls the tenant. `outbound`: the tenant calls someone; also if this web client was rung first.
   */
  readonly direction: 'inbound' | 'outbound';
  /** The caller's number in E.164. For an inbound call it may also be a short code or "anonymous". */
  readonly from: string;
  /** The called number in E.164, or 911 or 933. */
  readonly to: string;
  /** The name that the caller of an inbound call shows; null without one. Nobody has checked it. */
  readonly callerName: string | null;
  /**
   * The name of your contact with the other party's number; null without one, and for the login of a browser session
   * without `conversations:read`.
   */
  readonly contactName: string | null;
  /** The queue whose caller it is; null for a call that did not come from a queue. */
  readonly queue: { readonly id: string; readonly name: string } | null;
  /**
   * The agent who asks this web client before a transfer (`consult`), while it rings and while the two talk: the
   * customer is on hold. Null for other calls, and once the customer is connected.
   */
  readonly consultedBy: ConsultingAgent | null;
  /** Present for a call of others that this web client listens to: the parties that hear it. */
  readonly listener?: { readonly id: string; readonly speaksTo: 'none' | 'agent' | 'all' };
  /**
   * - `incoming`: this web client is rung.
   * - `dialing`: the call was placed; the other party's phone does not ring yet.
   * - `ringing`: the other party's phone rings.
   * - `connected`: both parties are connected.
   * - `ended`: only in the event `ended`.
   */
  readonly state: 'incoming' | 'dialing' | 'ringing' | 'connected' | 'ended';
  /** The transfer that this web client has started; null while none is under way. */
  readonly transfer: CallTransfer | null;
  /** True while the other party does not hear this web client. */
  readonly muted: boolean;
  /** True while neither party hears the other. */
  readonly held: boolean;
};

/** An agent: the id of a web client with its name, or the number or address of a telephone. */
export type ConsultingAgent = { readonly agent: string; readonly name: string | null };

/** A transfer. `talking`: the new agent has answered, and talks to this web client while the customer is on hold. */
export type CallTransfer = {
  readonly to: string;
  readonly mode: 'announce' | 'consult';
  readonly state: 'ringing' | 'talking';
};

/**
 * Why a transfer failed. The call continues with this web client.
 *
 * - `no_answer`: the new agent did not answer in time.
 * - `busy`: the new agent is on a call, or a caller of a queue rings there.
 * - `rejected`: the new agent declined, or hung up during the talk of a consult transfer.
 * - `failed`: the new agent could not be reached.
 * - `canceled`: this web client or the API canceled the transfer.
 */
export type TransferFailure = 'no_answer' | 'busy' | 'rejected' | 'failed' | 'canceled';

/** The quality of the audio that the page received in the latest seconds. */
export type CallQuality = {
  /** The share of the frames that was not played, because it was lost or came too late: 0 to 100. */
  readonly lossPercent: number;
  /** The smoothed jitter (RFC 3550, 6.4.1). */
  readonly jitterMs: number;
  /** The time to the server and back on the connection of the audio; null if the answer has not come. */
  readonly roundTripMs: number | null;
};

/** A queue that has this web client as an agent. */
export type SoftphoneQueue = {
  readonly id: string;
  readonly name: string;
  /**
   * The availability that this web client has chosen. An `available` agent is rung when it is logged in and on no call.
   */
  readonly availability: 'available' | 'away';
};

/**
 * Why a call ended for this web client.
 *
 * - `hung_up`: this web client hung up.
 * - `declined`: this web client declined.
 * - `answered_elsewhere`: another ring target answered.
 * - `no_answer`: this web client was rung, and did not answer in time.
 * - `ended`: any other reason, such as the other party hanging up.
 */
export type EndReason = 'hung_up' | 'declined' | 'answered_elsewhere' | 'no_answer' | 'ended';

/** An error with a stable code: a code of the API, `not_registered`, `seat_busy`, or one of this library (README). */
export class SoftphoneError extends Error {
  /** Stable; branch on it rather than on `message`. */
  readonly code: string;
  /** The call that the failed request was about; null if there is none. */
  readonly callId: string | null;
  constructor(code: string, message: string, callId?: string | null);
}

/** A microphone or a speaker. */
export type AudioDevice = { readonly id: string; readonly label: string };

/** The microphones and speakers that the page may choose from; empty before the page may use a microphone. */
export type AudioDevices = { readonly microphones: readonly AudioDevice[]; readonly speakers: readonly AudioDevice[] };

/** The events of `Softphone.on`, with what their listeners get. */
export type SoftphoneEvents = {
  /** The web client is logged in: the first time, and each time a lost connection is restored. */
  registered: { readonly webClientId: string; readonly expiresAt: Date };
  /** The queues of this web client: after a login, and after `setAvailability()`. Not sent without any. */
  queues: readonly SoftphoneQueue[];
  /** The web client is rung. Call `answer()` or `decline()`. */
  incoming: SoftphoneCall;
  /** The other party's phone rings. */
  ringing: SoftphoneCall;
  /** Both parties are connected. */
  answered: SoftphoneCall;
  /** A transfer started, the new agent of a consult transfer answered, or the transfer ended. */
  transfer: SoftphoneCall;
  /** The talk before a transfer to this web client is over: the customer is connected, and `consultedBy` is null. */
  consult: SoftphoneCall;
  /**
   * The transfer of this web client failed: tell the person why. Also sent for a transfer that failed before anybody
   * was rung.
   */
  transferFailed: SoftphoneCall & { readonly reason: TransferFailure };
  /**
   * The call is over. `outcome` is the outcome of the API's call; null if the call continues without this web client.
   */
  ended: SoftphoneCall & { readonly reason: EndReason; readonly outcome: string | null };
  /** About every five seconds, while the page receives the audio of a call. */
  quality: CallQuality & { readonly callId: string };
  /** A microphone or speaker was plugged in or out. */
  devices: AudioDevices;
  /** A request failed that returns no promise, such as `hangUp()`, or the page's audio failed. */
  error: SoftphoneError;
  /**
   * The connection is closed. `code` is a close code of docs/softphone-protocol.md, or 0 if no token could be fetched.
   * If `willReconnect` is true the softphone connects again, and its calls continue; otherwise `calls` is now empty.
   */
  disconnected: { readonly code: number; readonly reason: string; readonly willReconnect: boolean };
};

/** The events that a transport reports to its softphone. */
export type TransportEvent =
  | {
      readonly type: 'registered';
      readonly webClientId: string;
      readonly expiresAt: Date;
      /** Calls that the web client is on. Each is reported next, by `incoming` or `dialing`, as if it were new. */
      readonly callIds: readonly string[];
    }
  | { readonly type: 'queues'; readonly queues: readonly SoftphoneQueue[] }
  | {
      readonly type: 'incoming' | 'dialing';
      readonly callId: string;
      readonly direction: 'inbound' | 'outbound';
      readonly from: string;
      readonly to: string;
      readonly callerName?: string | null;
      readonly contactName?: string | null;
      readonly queue?: { readonly id: string; readonly name: string } | null;
      readonly consultedBy?: ConsultingAgent | null;
      /** The `ref` of the `place` that asked for this call. */
      readonly ref?: string;
      /** Present for a call of others that this web client listens to. */
      readonly listener?: { readonly id: string; readonly speaksTo: 'none' | 'agent' | 'all' };
    }
  | { readonly type: 'ringing' | 'answered'; readonly callId: string }
  | {
      readonly type: 'transfer';
      readonly callId: string;
      readonly transfer: CallTransfer | null;
      /** Why the previous transfer failed. */
      readonly failure?: TransferFailure;
    }
  | { readonly type: 'consult'; readonly callId: string; readonly consultedBy: ConsultingAgent | null }
  | ({ readonly type: 'quality'; readonly callId: string } & CallQuality)
  | { readonly type: 'ended'; readonly callId: string; readonly reason: EndReason; readonly outcome: string | null }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly callId: string | null;
      /** The `ref` of the `place` that failed. */
      readonly ref?: string;
    }
  /** The connection is closed, or could not be made. */
  | { readonly type: 'closed'; readonly code: number; readonly reason: string };

/**
 * Carries signalling and audio. A transport manages the audio of a call itself: it starts and ends with the call.
 * `WebSocketTransport` is the transport of this package. Implement this type for another transport, such as WebRTC.
 *
 * Methods without a promise send a request. Its effect is reported by an event, its failure by the event `error`.
 */
export type Transport = {
  /** Gets every event. The softphone sets it once, before `open`. */
  listener: (event: TransportEvent) => void;
  /** Connects and logs in. Reports `registered` on success, `closed` on failure. */
  open(token: string): void;
  /** Asks for the microphone ahead of a call, within the user's click. Rejects if it is refused. */
  prepareAudio(): Promise<void>;
  /** Takes another microphone, also in running calls; '' for the default one. Rejects with `microphone_refused`. */
  useMicrophone(deviceId: string): Promise<void>;
  /** Plays calls at another speaker; '' for the default one. Rejects with `speaker_refused`. */
  useSpeaker(deviceId: string): Promise<void>;
  answer(callId: string): void;
  decline(callId: string): void;
  hangUp(callId: string): void;
  /** Dials. Reports `dialing` or `error` with the same `ref`. */
  place(call: { readonly to: string; readonly from?: string; readonly ref: string }): void;
  setMuted(callId: string, on: boolean): void;
  setHeld(callId: string, on: boolean): void;
  sendDigits(callId: string, digits: string): void;
  transfer(callId: string, transfer: { readonly to: string } & TransferOptions): void;
  completeTransfer(callId: string): void;
  cancelTransfer(callId: string): void;
  /** Reports `queues` or `error`. */
  setAvailability(availability: 'available' | 'away', queueId?: string): void;
  /** Closes the connection and all audio, and releases the microphone. Reports nothing. */
  close(): void;
};

export type TransferOptions = {
  /**
   * `announce`, the default: this web client leaves when the new agent answers. `consult`: it talks to the new agent
   * first, and then completes or cancels the transfer.
   */
  mode?: 'announce' | 'consult';
  /** Spoken to the new agent before anybody is connected with it; at most 500 characters. */
  announceText?: string;
};

export type SoftphoneOptions = {
  /** The address of the installation: https://phone.example. Required unless `transport` is given. */
  url?: string;
  /** Replaces the WebSocket transport. */
  transport?: Transport;
  /** Constraints of the microphone. Echo cancellation, noise suppression and gain control are on by default. */
  microphone?: MediaTrackConstraints;
  /**
   * The address of the file `worklet.js` of this package, on your server. Only for pages whose content security policy
   * refuses `blob:` in `script-src`.
   */
  workletUrl?: string;
};

/**
 * A login token, or a function that fetches a new one from your server (POST /v1/web_clients/{id}/tokens). A softphone
 * reconnects after a lost connection only if it has the function, because a token expires after a few minutes.
 */
export type TokenSource = string | (() => string | Promise<string>);

/**
 * A web client's phone. Without `callId`, a method that takes one applies to the latest suitable call. If there is no
 * such call, the method throws a SoftphoneError with the code `call_not_found`.
 */
export class Softphone {
  constructor(options: SoftphoneOptions);

  /** The calls that have not ended, oldest first. There is at most one, and in addition emergency calls. */
  readonly calls: readonly SoftphoneCall[];

  /** The queues that have this web client as an agent, as last received; at most 100. */
  readonly queues: readonly SoftphoneQueue[];

  /** True while the web client is logged in. */
  readonly isRegistered: boolean;

  /**
   * Logs in, after closing any connection that is open. Resolves once registered. Rejects with `login_refused` if the
   * token is invalid or the web client was revoked, and with `disconnected` if the connection fails.
   */
  connect(token: TokenSource): Promise<void>;

  /**
   * Logs out: closes the connection and the audio, and does not reconnect. The server ends the web client's calls
   * within 20 seconds, unless it logs in again.
   */
  disconnect(): void;

  /** Lists the microphones and speakers. Browsers name them once the page may use a microphone. */
  devices(): Promise<AudioDevices>;

  /**
   * Takes another microphone, also in a running call; without an id the default microphone. Rejects with
   * `microphone_refused`, and keeps the earlier microphone. When the chosen microphone is unplugged, the default one is
   * taken.
   */
  useMicrophone(id?: string): Promise<void>;

  /**
   * Plays calls at another speaker; without an id at the default one. Rejects with `speaker_refused` if there is none
   * with this id, or the browser cannot choose it.
   */
  useSpeaker(id?: string): Promise<void>;

  /** Answers a call that rings. Rejects with `microphone_refused` if the page may not use a microphone. */
  answer(callId?: string): Promise<void>;

  /** Declines a call that rings: the next ring target, or the voicemail, gets it. */
  decline(callId?: string): void;

  /**
   * Dials a number (E.164, 911 or 933). `from` is one of the tenant's numbers, by id or in E.164; by default the
   * tenant's oldest number. Resolves once the call exists. Rejects with a code of the API if the number may not be
   * dialled, with `seat_busy` if the web client is on a call, with `microphone_refused` if the page may not use a
   * microphone, and with `disconnected` if the connection was lost before the answer.
   *
   * After `disconnected` the call may exist. Pass your own `ref` to be sure: a repeated `place` with the same `ref`
   * within five minutes means the same call.
   *
   * 911 and 933 need no microphone, are never refused as busy or too many, and may be written in any usual form
   * (`'+1911'`, `'9-1-1'`).
   */
  place(to: string, options?: { from?: string; ref?: string }): Promise<SoftphoneCall>;

  hangUp(callId?: string): void;

  /** Mutes a call, or unmutes it with `mute(false)`. */
  mute(on?: boolean, callId?: string): void;

  /** Puts a call on hold, or resumes it with `hold(false)`. */
  hold(on?: boolean, callId?: string): void;

  /** Sends DTMF digits: 0-9, A-D, * and #; at most 32. */
  sendDigits(digits: string, callId?: string): void;

  /**
   * Transfers the customer to E.164, a web client (wcl_…), a telephone (sip_phone:front), or "voicemail".
   * The event `transfer` reports its progress, `transferFailed` why it failed, and `error` a refusal.
   */
  transfer(to: string, options?: TransferOptions & { callId?: string }): void;

  /** Completes a consult transfer: the new agent has the customer, and this web client leaves. */
  completeTransfer(callId?: string): void;

  /** Cancels a consult transfer: the new agent is hung up, and this web client has the customer again. */
  cancelTransfer(callId?: string): void;

  /**
   * Takes callers of a queue, or takes a break. Without `queueId` this applies to all queues of this web client. The
   * event `queues` follows, or the event `error` (`queue_not_found`). A call that rings or is in progress is not ended.
   */
  setAvailability(availability: 'available' | 'away', queueId?: string): void;

  /** Adds a listener of an event. @returns a function that removes it */
  on<Type extends keyof SoftphoneEvents>(type: Type, listener: (event: SoftphoneEvents[Type]) => void): () => void;
}

/** The transport of this package: signalling over one WebSocket, the audio of each call over another. */
export type WebSocketTransport = Transport;
export const WebSocketTransport: new (options: {
  /** The address of the installation: https://phone.example. */
  url: string;
  /** Constraints of the microphone. */
  microphone?: MediaTrackConstraints;
}) => WebSocketTransport;
