/** The events of the tenant as they happen. They come over the realtime socket; otherwise the page polls. */
import type { Event, RealtimeToken } from '@dialplane/sdk';
import { type Api, Refusal } from './api.ts';

/** `polling`: the session may not open the socket. */
export type LiveState = 'connecting' | 'live' | 'polling';

export type LiveListener = {
  onEvent(event: Event): void;
  onState(state: LiveState): void;
  /** Called when the page may have missed events: after each connection, and each time when polling. */
  onGap(): void;
  /** Called when the server refuses the session. The connection is tried again. */
  onRefused(refusal: Refusal): void;
};

const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
const POLL_MS = 10_000;

export class Live {
  readonly #api: Api;
  readonly #listener: LiveListener;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  /** Changes with each start and stop. Work from before the change then has no effect. */
  #run = 0;

  constructor(api: Api, listener: LiveListener) {
    this.#api = api;
    this.#listener = listener;
  }

  start(): void {
    this.stop();
    this.#attempts = 0;
    void this.#connect();
  }

  stop(): void {
    this.#run++;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  async #connect(): Promise<void> {
    const run = this.#run;
    this.#listener.onState('connecting');
    try {
      const { token } = await this.#api.post<RealtimeToken>('/realtime/tokens');
      if (run === this.#run) this.#open(token);
    } catch (error) {
      if (run !== this.#run) return;
      if (error instanceof Refusal && error.code === 'key_not_permitted') this.#poll();
      else this.#retry();
      if (error instanceof Refusal && error.status === 401) this.#listener.onRefused(error);
    }
  }

  #open(token: string): void {
    const socket = new WebSocket(`${this.#api.socketUrl('/v1/realtime')}?token=${encodeURIComponent(token)}`);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#attempts = 0;
      this.#listener.onState('live');
      this.#listener.onGap();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#listener.onEvent(JSON.parse(data));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#retry();
    };
  }

  #retry(): void {
    this.#listener.onState('connecting');
    const waitMs = RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => void this.#connect(), waitMs);
  }

  #poll(): void {
    this.#listener.onState('polling');
    this.#listener.onGap();
    this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }
}
