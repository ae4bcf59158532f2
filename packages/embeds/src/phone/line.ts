/** The line of the phone: the login of a web client, its one call, and the person's actions on the call. */
import type { WebClient } from '@dialplane/sdk';
import {
  type CallQuality,
  Softphone,
  type SoftphoneCall,
  SoftphoneError,
  type SoftphoneQueue,
  type TransferOptions,
} from '@dialplane/softphone';
import { type Api, type Page, problemOf, Refusal } from '../api.ts';
import type { Problem } from '../texts/texts.ts';
import { type DeviceKind, Sound } from './sound.ts';

/** `elsewhere`: another page logged the web client in. `out`: the login was refused, or has ended. */
export type LineState = 'connecting' | 'ready' | 'reconnecting' | 'elsewhere' | 'out';

export type LineCall = {
  readonly call: SoftphoneCall;
  /** The time when both parties were connected, in milliseconds; null before that. */
  readonly connectedAtMs: number | null;
};

type LineOptions = {
  readonly api: Api;
  readonly baseUrl: () => string;
  /** Returns the id of the web client. If it is undefined, the tenant's first active web client is used. */
  readonly webClientId: () => string | undefined;
  readonly onChange: () => void;
  readonly onCall: (type: 'incoming' | 'answered' | 'ended', call: SoftphoneCall) => void;
  readonly onQuality: (id: string, quality: CallQuality) => void;
};

/** Close codes (docs/softphone-protocol.md). */
const SESSION_EXPIRED = 4408;
const REPLACED = 4409;
/** How long the end of a call is shown. */
const ENDED_MS = 4_000;

export class Line {
  state: LineState = 'connecting';
  problem: Problem | null = null;
  active: LineCall | null = null;
  /** The call that has just ended. It is shown for ENDED_MS. */
  ended: {
    readonly call: SoftphoneCall;
    readonly seconds: number | null;
    /** The new agent, if the call continues after a transfer of this person. */
    readonly transferredTo: string | null;
  } | null = null;
  /** The queues whose callers ring here while the person is available. */
  queues: readonly SoftphoneQueue[] = [];
  /** The present web client; after a logout, the previous one. */
  webClientId: string | null = null;
  readonly sound: Sound;
  readonly #options: LineOptions;
  #phone: Softphone | undefined;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  /** The target of the latest transfer of the call. */
  #transferTo: string | null = null;

  constructor(options: LineOptions) {
    this.#options = options;
    this.sound = new Sound(options.onChange);
  }

  /** Logs in. Any other page with the web client is logged out. */
  async connect(): Promise<void> {
    this.disconnect();
    const phone = new Softphone({ url: this.#options.baseUrl() });
    this.#phone = phone;
    this.#listen(phone);
    this.#set({ state: 'connecting', problem: null, queues: [] });
    void this.sound.follow(phone);
    let refusal: unknown;
    const login = () =>
      this.#login().catch((error: unknown) => {
        refusal = error;
        throw error;
      });
    try {
      await phone.connect(login);
    } catch (error) {
      // The library reports only that there was no token.
      if (this.#phone === phone) this.#set({ state: 'out', problem: reasonOf(refusal ?? error) });
    }
  }

  disconnect(): void {
    clearTimeout(this.#endTimer);
    const phone = this.#phone;
    this.#phone = undefined;
    phone?.disconnect();
    this.active = null;
    this.ended = null;
  }

  answer = (): Promise<void> => this.#try((phone, id) => phone.answer(id));
  decline = (): Promise<void> => this.#try((phone, id) => phone.decline(id));
  hangUp = (): Promise<void> => this.#try((phone, id) => phone.hangUp(id));
  mute = (on: boolean): Promise<void> => this.#try((phone, id) => phone.mute(on, id));
  hold = (on: boolean): Promise<void> => this.#try((phone, id) => phone.hold(on, id));
  transfer = (to: string, options: TransferOptions): Promise<void> =>
    this.#try((phone, callId) => phone.transfer(to, { ...options, callId }));
  completeTransfer = (): Promise<void> => this.#try((phone, id) => phone.completeTransfer(id));
  cancelTransfer = (): Promise<void> => this.#try((phone, id) => phone.cancelTransfer(id));
  sendDigits = (digits: string): Promise<void> => this.#try((phone, id) => phone.sendDigits(digits, id));

  async dial(to: string): Promise<void> {
    const phone = this.#phone;
    if (phone === undefined || this.active !== null) return;
    this.#set({ problem: null, ended: null });
    try {
      const call = await phone.place(to);
      this.#set({ active: { call, connectedAtMs: null } });
    } catch (error) {
      this.#set({ problem: reasonOf(error) });
    }
  }

  /**
   * Sets whether the person takes callers of a queue; without an id, of all queues. The server answers with the queues.
   */
  setAvailable(on: boolean, queueId?: string): void {
    this.#phone?.setAvailability(on ? 'available' : 'away', queueId);
    this.#set({ problem: null });
  }

  listDevices = (): Promise<void> => this.#settle(this.sound.list());
  chooseDevice = (kind: DeviceKind, id: string): Promise<void> => this.#settle(this.sound.choose(kind, id));

  async #settle(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.#set({ problem: null });
    } catch (error) {
      this.#set({ problem: reasonOf(error) });
    }
  }

  async #try(act: (phone: Softphone, id: string) => unknown): Promise<void> {
    const [phone, id] = [this.#phone, this.active?.call.id];
    if (phone === undefined || id === undefined) return;
    this.problem = null;
    try {
      await act(phone, id);
    } catch (error) {
      this.problem = reasonOf(error);
    }
    this.#follow(phone);
  }

  async #login(): Promise<string> {
    const { api, webClientId } = this.#options;
    const id = webClientId() ?? (await this.#firstWebClient());
    return (await api.post<{ token: string }>(`/web_clients/${id}/tokens`)).token;
  }

  async #firstWebClient(): Promise<string> {
    const { data } = await this.#options.api.get<Page<WebClient>>('/web_clients', { limit: 100 });
    const found = data.find(({ status }) => status === 'active');
    if (found === undefined) throw new Refusal('no_web_client');
    return found.id;
  }

  #listen(phone: Softphone): void {
    const { onCall, onQuality } = this.#options;
    phone.on('registered', ({ webClientId }) => {
      if (this.#phone === phone) this.#set({ state: 'ready', problem: null, webClientId });
    });
    phone.on('incoming', (call) => {
      this.#follow(phone);
      onCall('incoming', call);
    });
    phone.on('queues', (queues) => {
      if (this.#phone === phone) this.#set({ queues });
    });
    phone.on('quality', ({ callId, ...quality }) => onQuality(callId, quality));
    phone.on('ringing', () => this.#follow(phone));
    phone.on('transfer', ({ transfer }) => {
      this.#transferTo = transfer?.to ?? this.#transferTo;
      this.#follow(phone);
    });
    phone.on('consult', () => this.#follow(phone));
    phone.on('transferFailed', ({ reason }) => {
      // If the person has canceled the transfer, no message is needed.
      if (this.#phone === phone && reason !== 'canceled') this.#set({ problem: { code: `transfer_${reason}` } });
    });
    phone.on('answered', (call) => {
      this.active = { call, connectedAtMs: Date.now() };
      this.#follow(phone);
      onCall('answered', call);
    });
    phone.on('ended', (call) => {
      if (this.active?.call.id === call.id) this.#showEnd(call, call.outcome === null ? this.#transferTo : null);
      this.#transferTo = null;
      this.#follow(phone);
      onCall('ended', call);
    });
    phone.on('error', (error) => this.#set({ problem: reasonOf(error) }));
    phone.on('disconnected', ({ code, willReconnect }) => {
      if (this.#phone !== phone) return;
      this.#follow(phone);
      if (willReconnect) this.#set({ state: 'reconnecting' });
      else if (code === SESSION_EXPIRED) void this.connect();
      else this.#set({ state: code === REPLACED ? 'elsewhere' : 'out' });
    });
  }

  /** Copies the state of the call from the library. */
  #follow(phone: Softphone): void {
    if (this.#phone !== phone) return;
    const call = phone.calls.find(({ id }) => id === this.active?.call.id) ?? phone.calls.at(-1);
    if (call === undefined) this.active = null;
    else this.active = { call, connectedAtMs: this.active?.call.id === call.id ? this.active.connectedAtMs : null };
    this.#options.onChange();
  }

  #showEnd(call: SoftphoneCall, transferredTo: string | null): void {
    const since = this.active?.connectedAtMs ?? null;
    this.ended = { call, seconds: since === null ? null : (Date.now() - since) / 1_000, transferredTo };
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => this.#set({ ended: null }), ENDED_MS);
  }

  #set(change: Partial<Pick<Line, 'state' | 'problem' | 'active' | 'ended' | 'queues' | 'webClientId'>>): void {
    Object.assign(this, change);
    this.#options.onChange();
  }
}

function reasonOf(error: unknown): Problem {
  if (!(error instanceof SoftphoneError)) return problemOf(error);
  // A refusal of the API names the ability that the session lacks. On the line, that is always the ability for calls.
  return error.code === 'key_not_permitted' ? { code: 'calls_not_permitted' } : error;
}
