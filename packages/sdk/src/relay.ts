import { DialplaneError } from './errors.ts';
import {
  checkDigits,
  checkFile,
  checkLanguage,
  handoffText,
  type RelayDtmf,
  type RelayError,
  type RelayInterrupt,
  type RelayMessage,
  type RelayPrompt,
  type RelaySetup,
  readRelayMessage,
  type SayOptions,
  tokensOf,
} from './relay-messages.ts';
import type { SocketEnd, SocketLike } from './sockets.ts';

export type {
  RelayDtmf,
  RelayError,
  RelayInterrupt,
  RelayMessage,
  RelayPrompt,
  RelaySetup,
  SayOptions,
} from './relay-messages.ts';

/** The words of an agent: a text, or the parts of a text as a model makes them. */
export type Speech = string | AsyncIterable<string>;

/**
 * The result of a handler. A text is spoken, unless the customer has spoken again by then. A boolean has no effect, so
 * that a handler may return the result of `say`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing is one too
type Returned = Speech | boolean | undefined | void;
export type Answer = Returned | Promise<Returned>;

/**
 * The functions of an agent. `signal` is aborted when the customer interrupts or finishes another utterance, or when
 * the relay ends: pass it to your model.
 */
export type RelayHandlers = {
  /** The call is connected. The result of this handler is the greeting. */
  onSetup?(setup: RelaySetup, session: RelaySession, signal: AbortSignal): Answer;
  /** The customer has said something. */
  onPrompt?(prompt: RelayPrompt, session: RelaySession, signal: AbortSignal): Answer;
  onDtmf?(dtmf: RelayDtmf, session: RelaySession, signal: AbortSignal): Answer;
  /** The customer has interrupted: the present text is stopped already. A prompt follows if there were words. */
  onInterrupt?(interrupt: RelayInterrupt, session: RelaySession, signal: AbortSignal): Answer;
  /**
   * The server reports a problem, or a handler has thrown. If a handler has thrown, the relay is closed, and the call
   * continues with its fallback.
   */
  onError(error: RelayError, session: RelaySession): void;
  /** The relay has ended. */
  onClose?(end: SocketEnd, session: RelaySession): void;
};

/**
 * Makes the agent of a relay. Call the returned function with each WebSocket that the server opens:
 * `webSocketServer.on('connection', createRelay({ … }))`.
 * @param handlers the handlers of the agent, or a function that returns them for each call
 */
export function createRelay(handlers: RelayHandlers | (() => RelayHandlers)): (socket: SocketLike) => RelaySession {
  if (typeof handlers !== 'function' && typeof handlers.onError !== 'function') {
    throw new DialplaneError('invalid_argument', 'onError is missing: without it, nobody would notice a failure.');
  }
  return (socket) => new RelaySession(socket, typeof handlers === 'function' ? handlers() : handlers);
}

/** The agent's side of one call. */
export class RelaySession {
  readonly #socket: SocketLike;
  readonly #handlers: RelayHandlers;
  #setup: RelaySetup | undefined;
  #turn = new AbortController();
  #isOpen = true;
  /** All texts until now. The next text waits for them, so that two texts do not mix. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(socket: SocketLike, handlers: RelayHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code, reason }) => this.#end({ code, reason }));
    // Every error is followed by close, which says more.
    socket.addEventListener('error', () => undefined);
  }

  /** Identifies the call. Known from `onSetup` on. */
  get setup(): RelaySetup {
    if (this.#setup === undefined) throw new DialplaneError('invalid_argument', 'The relay is not set up yet.');
    return this.#setup;
  }

  /** False once the relay has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Says a text, after the earlier texts. Parts are sent as they come. Resolves when the last part was sent, before the
   * customer has heard it. The parts of a text that is stopped are no longer read.
   * @returns false if it was stopped: by the customer, by the signal, or by the end of the relay
   */
  say(speech: Speech, { signal, ...how }: SayOptions = {}): Promise<boolean> {
    checkLanguage('lang', how.lang);
    const turn = this.#turn.signal;
    return this.#after(async () => {
      const stop = signal === undefined ? turn : AbortSignal.any([turn, signal]);
      let isBegun = false;
      const send = (token: string, last: boolean) => {
        isBegun = true;
        this.#send({ type: 'text', token, last, ...how });
      };
      try {
        for await (const part of partsOf(speech, stop)) for (const token of tokensOf(part)) send(token, false);
      } finally {
        // Ends the text. Otherwise the server would add the next text to this one.
        if (isBegun) send('', true);
      }
      return !stop.aborted;
    });
  }

  /** Plays an audio file, after the earlier texts. `loop` is the number of times; 0 means 1,000 times. */
  play(
    source: string,
    { loop, ...how }: Omit<SayOptions, 'lang' | 'signal'> & { loop?: number } = {},
  ): Promise<boolean> {
    checkFile(source, loop);
    const turn = this.#turn.signal;
    return this.#after(() => {
      if (!turn.aborted) this.#send({ type: 'play', source, loop, ...how });
      return !turn.aborted;
    });
  }

  /** Sends digits to the customer's side, such as for a menu. `w` waits for half a second, `W` for a second. */
  sendDigits(digits: string): Promise<void> {
    checkDigits(digits);
    return this.#after(() => this.#send({ type: 'sendDigits', digits }));
  }

  /** Sets the language that the agent speaks and recognises from now on. */
  language({ spoken, heard }: { spoken?: string; heard?: string }): Promise<void> {
    checkLanguage('spoken', spoken);
    checkLanguage('heard', heard);
    const message = { type: 'language', ttsLanguage: spoken, transcriptionLanguage: heard };
    return this.#after(() => this.#send(message));
  }

  /** Ends the relay once the customer has heard the earlier texts. The call continues with its next step. */
  end(handoffData?: string | object): Promise<void> {
    const text = handoffText(handoffData);
    return this.#after(() => this.#send({ type: 'end', handoffData: text }));
  }

  /** Closes the connection at once: the call continues with its fallback. */
  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
    this.#end({ code, reason });
  }

  #receive(data: unknown): void {
    if (!this.#isOpen) return;
    let message: RelayMessage | undefined;
    try {
      message = readRelayMessage(data);
      // The first message decides whether the other side is a relay.
      const isExpected = (message?.type === 'setup') === (this.#setup === undefined);
      if (message !== undefined && !isExpected) throw unexpected(message);
    } catch (cause) {
      this.#fail(cause, 1002);
      return;
    }
    if (message !== undefined) this.#dispatch(message);
  }

  #dispatch(message: RelayMessage): void {
    const { onSetup, onPrompt, onDtmf, onInterrupt, onError } = this.#handlers;
    switch (message.type) {
      case 'setup':
        this.#setup = message;
        this.#answer((signal) => onSetup?.call(this.#handlers, message, this, signal));
        return;
      case 'prompt':
        if (message.last) this.#stop();
        this.#answer((signal) => onPrompt?.call(this.#handlers, message, this, signal));
        return;
      case 'dtmf':
        this.#answer((signal) => onDtmf?.call(this.#handlers, message, this, signal));
        return;
      case 'interrupt':
        this.#stop();
        this.#answer((signal) => onInterrupt?.call(this.#handlers, message, this, signal));
        return;
      case 'error':
        onError.call(this.#handlers, message, this);
    }
  }

  /** Runs a handler, and says its result unless its turn is over by then. */
  #answer(handle: (signal: AbortSignal) => Answer): void {
    const { signal } = this.#turn;
    const work = async () => {
      const speech = await handle(signal);
      if (isSpeech(speech) && !signal.aborted) await this.say(speech);
    };
    work().catch((cause: unknown) => {
      if (!isStopOf(signal, cause)) this.#fail(cause, 1011);
    });
  }

  /** Stops the present text, and the texts that wait. */
  #stop(): void {
    this.#turn.abort(new DialplaneError('disconnected', 'The customer has gone on.'));
    this.#turn = new AbortController();
  }

  #fail(cause: unknown, code: number): void {
    const description = cause instanceof Error ? cause.message : String(cause);
    try {
      this.#handlers.onError({ type: 'error', description, cause }, this);
    } finally {
      this.close(code, code === 1011 ? 'the agent failed' : 'not the protocol of a relay');
    }
  }

  #end(end: SocketEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#turn.abort(new DialplaneError('disconnected', 'The relay has ended.'));
    this.#handlers.onClose?.(end, this);
  }

  #after<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The caller of this function gets the error; the next text is not affected.
    this.#last = done.catch(() => undefined);
    return done;
  }

  #send(message: object): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify(message));
  }
}

const isSpeech = (value: unknown): value is Speech =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);

/** Returns true for the error that a model throws when it is stopped. */
const isStopOf = ({ aborted, reason }: AbortSignal, error: unknown) =>
  aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'));

const unexpected = ({ type }: RelayMessage) =>
  new DialplaneError(
    'unexpected_reply',
    `A message of type ${type} came ${type === 'setup' ? 'again' : 'before setup'}.`,
  );

/** Yields the parts of a speech until it is stopped. Then it signals the source, and does not wait for it. */
async function* partsOf(speech: Speech, stop: AbortSignal): AsyncGenerator<string> {
  if (stop.aborted) return;
  if (typeof speech === 'string') return yield speech;
  const source = speech[Symbol.asyncIterator]();
  const over = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal });
  });
  try {
    while (!stop.aborted) {
      const next = await Promise.race([source.next(), stopped]);
      if (next === undefined) break;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    over.abort();
  }
  // The source may wait for a model that never answers. Its failure no longer matters.
  source.return?.().then(undefined, () => undefined);
}
