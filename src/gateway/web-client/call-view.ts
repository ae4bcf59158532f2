/** A web client's view of its calls: re-reads its legs and sends the differences. */
import type { WebClientLegIds } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import type { WebClientExchange, WebClientLeg } from '../../domain/voice/index.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { after, type Timer } from '../../lib/time/time.ts';
import { type CallMessages, type CallMessagesOptions, createCallMessages } from './call-messages.ts';
import type { ServerMessage } from './protocol.ts';
import { compare, nothingSent, type SentState } from './sent-state.ts';

export type CallViewOptions = CallMessagesOptions & {
  /** Undefined if the ledger's carrier cannot ring web clients. */
  readonly exchange: WebClientExchange;
  readonly send: (message: ServerMessage) => void;
  readonly isOpen: () => boolean;
};

export type CallView = {
  /** Re-reads the legs and sends the changes. If called during a refresh, refreshes once more after it. */
  refresh(): Promise<void>;
  /** True if the web client has not yet received all changes of its calls. `live` are its legs that have not ended. */
  isBehind(live: readonly WebClientLeg[]): boolean;
  callIds(): Promise<string[]>;
  /** Errors: call_not_found. */
  legOf(callId: string): Promise<WebClientLegIds>;
  /** Sends `media` of a call again. Errors: call_not_found, call_not_active, carrier_unavailable. */
  resendMedia(callId: string): Promise<void>;
  /**
   * Announces a leg that the web client is about to dial. The leg is then sent even if it is over at the first refresh.
   */
  expectLeg(legId: string, ref: string | undefined): void;
  /** Cancels the announcement: the leg was not created. */
  forgetLeg(legId: string): void;
  /** Sends `dialing` of a call with this `ref`, even if it was sent before or the call is over. */
  resendDialing(leg: WebClientLegIds, ref: string): Promise<void>;
  /** True while the web client has received no call. */
  readonly isIdle: boolean;
};

/** Pause before a refresh is repeated. It is repeated if it failed, or could not send everything. */
const RETRY_MS = 1_000;

export function createCallView(context: Pick<Context, 'db' | 'log'>, options: CallViewOptions): CallView {
  return new ComparedCallView(context, options);
}

class ComparedCallView implements CallView {
  readonly #options: CallViewOptions;
  readonly #log: Context['log'];
  readonly #messages: CallMessages;
  /** By leg. */
  readonly #sent = new Map<string, SentState>();
  /** Legs that the web client dials and has not received yet, with the `ref` of their `place`. */
  readonly #expected = new Map<string, string | undefined>();
  #retry: Timer | undefined;

  constructor(context: Pick<Context, 'db' | 'log'>, options: CallViewOptions) {
    this.#options = options;
    this.#log = context.log;
    this.#messages = createCallMessages(context, options);
  }

  readonly refresh = coalesce(async () => {
    this.#retry?.cancel();
    this.#retry = undefined;
    try {
      await this.#updateLegs();
    } catch (error) {
      const { webClientId } = this.#options.webClient;
      this.#log.warn({ err: error, web_client: webClientId }, "could not read a web client's calls; retrying in 1 s");
      this.#refreshLater();
    }
  });

  get isIdle(): boolean {
    return this.#sent.size === 0;
  }

  isBehind(live: readonly WebClientLeg[]): boolean {
    const present = new Set(live.map(({ legId }) => legId));
    const hasEnded = [...this.#sent.keys()].some((legId) => !present.has(legId));
    return hasEnded || live.some((leg) => compare(this.#sent.get(leg.legId), leg).updates.length > 0);
  }

  async callIds(): Promise<string[]> {
    return (await this.#listLegs([])).map(({ callId }) => callId);
  }

  async legOf(callId: string): Promise<WebClientLegIds> {
    if (this.#findLegId(callId) === undefined) await this.refresh();
    const legId = this.#findLegId(callId);
    if (legId === undefined) throw new ApiError('call_not_found', { param: 'call_id' });
    return { callId, legId };
  }

  async resendMedia(callId: string): Promise<void> {
    const leg = await this.legOf(callId);
    if (this.#sent.get(leg.legId)?.media !== true) throw new ApiError('call_not_active');
    const message = await this.#messages.media(leg);
    if (message === undefined) throw new ApiError('carrier_unavailable');
    this.#options.send(message);
  }

  expectLeg(legId: string, ref: string | undefined): void {
    this.#expected.set(legId, ref);
  }

  forgetLeg(legId: string): void {
    this.#expected.delete(legId);
  }

  async resendDialing({ callId, legId }: WebClientLegIds, ref: string): Promise<void> {
    await this.refresh();
    if (this.#sent.get(legId)?.shown === true) {
      this.#options.send(await this.#messages.dialing(callId, ref));
      return;
    }
    this.#expected.set(legId, ref);
    await this.refresh();
  }

  async #updateLegs(): Promise<void> {
    const known = [...this.#sent.keys()];
    const legs = await this.#listLegs([...known, ...this.#expected.keys()]);
    const failures: unknown[] = [];
    for (const leg of legs) await this.#updateLeg(leg).catch((error: unknown) => failures.push(error));
    // Legs that the carrier no longer has: their ledger was reset.
    const present = new Set(legs.map(({ legId }) => legId));
    for (const legId of known) if (!present.has(legId)) this.#sent.delete(legId);
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Reads all data before it sends any message. If a read fails, it sends nothing, and the next refresh sends
   * everything.
   */
  async #updateLeg(leg: WebClientLeg): Promise<void> {
    const { audio, send } = this.#options;
    const { legId } = leg;
    const before = this.#sent.get(legId) ?? (this.#expected.has(legId) ? nothingSent(leg) : undefined);
    const after = compare(before, leg);
    const ref = this.#expected.get(legId);
    const messages = await Promise.all(after.updates.map((update) => this.#messages.ofUpdate(update, ref)));
    for (const message of messages) if (message !== undefined) send(message);
    this.#expected.delete(legId);
    if (after.sent === undefined) {
      this.#sent.delete(legId);
      return;
    }
    const isComplete = !messages.includes(undefined);
    this.#sent.set(legId, { ...after.sent, media: after.sent.media && (isComplete || audio === undefined) });
    if (!isComplete && audio !== undefined) this.#refreshLater();
  }

  #refreshLater(): void {
    if (this.#options.isOpen()) this.#retry ??= after(RETRY_MS, () => void this.refresh()).unref();
  }

  /** Returns the legs that have not ended, and all legs of `known`. */
  #listLegs(known: readonly string[]): Promise<readonly WebClientLeg[]> {
    const { exchange, ledger, webClient } = this.#options;
    return exchange.listLegs(ledger, webClient.webClientId, known);
  }

  #findLegId(callId: string): string | undefined {
    return [...this.#sent].find(([, state]) => state.callId === callId)?.[0];
  }
}
