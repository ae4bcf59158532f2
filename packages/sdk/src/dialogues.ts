/** Calls of agents of text without a server, for test suites: the messages of a relay, and no audio. */
import { openWire, pairWith, type Receiver, type Wire } from './agent-wires.ts';
import { DialogueClock } from './dialogue-clock.ts';
import { DialplaneError, parseJson } from './errors.ts';
import { checkDigits, checkFile, checkLanguage, handoffText, type RelaySetup, tokensOf } from './relay-messages.ts';
import type { SocketConstructor, SocketLike } from './sockets.ts';

export type AgentCallOptions = {
  /** Fields of `setup`, such as `from` and `customParameters`. */
  setup?: Partial<Omit<RelaySetup, 'type'>> | undefined;
  /** The language of the customer; `en-US` by default. */
  language?: string | undefined;
  /** How long `expectHeard` and the others wait for the agent; 5 seconds by default. */
  timeoutMs?: number | undefined;
  /** For runtimes without a global WebSocket, such as Node 20. */
  WebSocket?: SocketConstructor | undefined;
};

/** How a relay has ended: `reason` is the `reason` of `call.relay.ended`. */
export type AgentCallEnd = {
  reason: 'agent_ended' | 'agent_closed' | 'agent_silent' | 'protocol_error' | 'call_ended';
  handoffData: string | null;
};

/** A message that the agent has sent. */
export type AgentMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** The result of `createRelay`, or the address of an agent. */
export type Agent = string | ((socket: SocketLike) => unknown);

const WAIT_MS = 5_000;
const INVALID_MAX = 20;
const HEARD_SHOWN = 500;

/**
 * Calls an agent: the result of `createRelay`, or the `ws:` address of an agent in any language. The agent gets the
 * messages that a server sends. Its own messages are checked, and wrong ones are dropped, as on a server.
 */
export function callAgent(agent: Agent, options: AgentCallOptions = {}): Promise<AgentCaller> {
  return AgentCaller.call(agent, options);
}

/** The customer of an agent. */
export class AgentCaller {
  /** The messages of the agent, in order. */
  readonly messages: AgentMessage[] = [];
  readonly #options: AgentCallOptions;
  #wire: Wire | undefined;
  /** The heard text, and the position where the next `expectHeard` begins. */
  #heard = '';
  #expectedUntil = 0;
  /** The heard part of the present text, or of the last one. */
  #text = '';
  #isTexting = false;
  #isDropping = false;
  #isInterruptible = true;
  readonly #clock = new DialogueClock();
  #isClockUsed = false;
  #invalid = 0;
  /** Each function checks again whether an awaited event has happened. */
  readonly #watching = new Set<() => void>();
  #end: AgentCallEnd | undefined;

  private constructor(options: AgentCallOptions) {
    this.#options = options;
  }

  /** See `callAgent`. */
  static async call(agent: Agent, options: AgentCallOptions): Promise<AgentCaller> {
    const caller = new AgentCaller(options);
    const receiver: Receiver = {
      open: (wire) => caller.#begin(wire),
      message: (data) => caller.#receive(data),
      closed: () => caller.#finish({ reason: 'agent_closed', handoffData: null }),
    };
    if (typeof agent === 'string') await openWire(agent, receiver, options.WebSocket);
    else pairWith(agent, receiver);
    return caller;
  }

  /** Everything that the customer has heard: one line for each text. */
  get heard(): string {
    return this.#heard;
  }

  /** Says something once the agent has finished its text. To speak earlier, call `interrupt()` first. */
  async say(text: string, { lang = this.#options.language ?? 'en-US' } = {}): Promise<void> {
    await this.#agentFinished();
    this.#isDropping = false;
    this.#expectedUntil = this.#heard.length;
    this.#clock.owe();
    this.#send({ type: 'prompt', voicePrompt: text, lang, last: true });
  }

  /** Presses keys, once the agent has finished its text. */
  async press(digits: string): Promise<void> {
    await this.#agentFinished();
    this.#expectedUntil = this.#heard.length;
    for (const digit of digits) this.#send({ type: 'dtmf', digit });
  }

  /**
   * Moves the time of the dialogue, which stands still otherwise. The texts of the agent are spoken during that time.
   * If the agent owes an answer and sends nothing for ten seconds of this time, the relay ends as `agent_silent`. Real
   * time does not count: if your agent works for some time, wait for its words first.
   */
  async advance(seconds: number): Promise<void> {
    if (!(seconds > 0)) throw new DialplaneError('invalid_argument', 'The time goes forward: seconds is above 0.');
    // Lets an agent that answers immediately send its answer.
    await new Promise((resolve) => setTimeout(resolve));
    this.#isClockUsed = true;
    if (!this.#clock.advance(seconds)) this.#finish({ reason: 'agent_silent', handoffData: null });
  }

  /**
   * Interrupts the agent. The rest of its text is dropped.
   * @param heard the part of the text that the customer has heard. By default it is the part that was spoken in the
   * time of the dialogue; if the time stood still, it is the whole text
   * @returns false if the text may not be interrupted
   */
  interrupt(heard: string = this.#isClockUsed ? this.#clock.heardOf(this.#text) : this.#text): boolean {
    if (!this.#isInterruptible) return false;
    this.#isDropping = this.#isTexting;
    const durationUntilInterruptMs = this.#isClockUsed ? this.#clock.heardMs : heard.length * 60;
    this.#clock.interrupt();
    this.#send({ type: 'interrupt', utteranceUntilInterrupt: heard, durationUntilInterruptMs });
    return true;
  }

  /**
   * Waits until the customer has heard this since it last spoke, pressed a key or expected something.
   * @returns the text that was heard since then
   * @throws DialplaneError `timeout` with the text that was heard instead
   */
  async expectHeard(what: string | RegExp, { timeoutMs = this.#timeoutMs } = {}): Promise<string> {
    const since = () => this.#heard.slice(this.#expectedUntil);
    const endOf = () => {
      if (typeof what !== 'string') {
        const found = since().match(new RegExp(what.source, what.flags.replace(/[gy]/g, '')));
        return found === null ? -1 : (found.index ?? 0) + found[0].length;
      }
      const at = since().indexOf(what);
      return at === -1 ? -1 : at + what.length;
    };
    await this.#until(() => endOf() >= 0 || this.#end !== undefined, timeoutMs);
    const length = endOf();
    if (length < 0) {
      const ended = this.#end === undefined ? `within ${timeoutMs} ms` : `before the end (${this.#end.reason})`;
      throw new DialplaneError('timeout', `The customer did not hear ${what} ${ended}, but: ${shown(since())}`);
    }
    const heard = since().slice(0, length);
    this.#expectedUntil += length;
    return heard;
  }

  /** Hangs up. */
  hangUp(): void {
    this.#finish({ reason: 'call_ended', handoffData: null });
  }

  /** Waits until the relay has ended. */
  async ended({ timeoutMs = this.#timeoutMs } = {}): Promise<AgentCallEnd> {
    await this.#until(() => this.#end !== undefined, timeoutMs);
    if (this.#end !== undefined) return this.#end;
    throw new DialplaneError('timeout', `The relay has not ended within ${timeoutMs} ms.`);
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? WAIT_MS;
  }

  async #agentFinished(): Promise<void> {
    await this.#until(() => !this.#isTexting || this.#isDropping || this.#end !== undefined, this.#timeoutMs);
    if (this.#end !== undefined) {
      throw new DialplaneError('disconnected', `The relay has ended before (${this.#end.reason}).`);
    }
    if (!this.#isTexting || this.#isDropping) return;
    throw new DialplaneError('timeout', `The agent has not finished its text: ${shown(this.#text)}`);
  }

  /** Resolves when `isSo` returns true, or when the time is over. */
  #until(isSo: () => boolean, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#watching.delete(check);
        resolve();
      };
      const check = () => {
        if (isSo()) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#watching.add(check);
      check();
    });
  }

  #changed(): void {
    for (const check of [...this.#watching]) check();
  }

  #begin(wire: Wire): void {
    this.#wire = wire;
    this.#send({
      ...{ type: 'setup', sessionId: 'rly_dialogue', accountSid: 'acc_dialogue', callSid: 'call_dialogue' },
      ...{ parentCallSid: '', from: '+16025550143', to: '+16025550100', forwardedFrom: '', callerName: '' },
      ...{ direction: 'inbound', callType: 'PSTN', callStatus: 'IN-PROGRESS', customParameters: {} },
      ...this.#options.setup,
    });
  }

  #receive(data: unknown): void {
    if (this.#end !== undefined) return;
    const message = parseJson(String(data)) as AgentMessage | null | undefined;
    try {
      this.#take(checked(message));
      this.#changed();
    } catch (error) {
      if (!DialplaneError.is(error)) throw error;
      this.#send({ type: 'error', description: error.message });
      if (++this.#invalid >= INVALID_MAX) this.#finish({ reason: 'protocol_error', handoffData: null });
    }
  }

  #take(message: AgentMessage): void {
    this.messages.push(message);

    if (message.type === 'text') this.#hear(message);
    else if (message.type === 'play') this.#clock.answer();
    else if (message.type === 'end') {
      const handoffData = handoffText((message['handoffData'] ?? undefined) as string | object | undefined) ?? null;
      this.#finish({ reason: 'agent_ended', handoffData });
    }
  }

  #hear(message: AgentMessage): void {
    const last = message['last'] === true;
    const isFirst = !this.#isTexting;
    this.#isTexting = !last;
    if (this.#isDropping) {
      this.#isDropping = !last;
      return;
    }
    if (isFirst) this.#text = '';
    this.#text += message['token'];
    this.#isInterruptible = message['interruptible'] !== false;
    this.#clock.speak(String(message['token']), { isFirst, isLast: last });
    this.#heard += `${message['token']}${last ? '\n' : ''}`;
  }

  #finish(end: AgentCallEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#wire?.close();
    this.#changed();
  }

  #send(message: object): void {
    if (this.#end === undefined) this.#wire?.send(JSON.stringify(message));
  }
}

const shown = (heard: string) => (heard === '' ? 'nothing' : JSON.stringify(heard.slice(-HEARD_SHOWN)));

/** Returns a message that the server would accept. Throws DialplaneError `invalid_argument` for any other. */
function checked(message: AgentMessage | null | undefined): AgentMessage {
  const fields = (message ?? {}) as Record<string, never>;
  switch (fields['type'] as unknown) {
    case 'text':
      checkToken(fields['token'], fields['last']);
      checkLanguage('lang', fields['lang']);
      break;
    case 'play':
      checkFile(String(fields['source'] ?? ''), fields['loop']);
      break;
    case 'sendDigits':
      checkDigits(String(fields['digits']));
      break;
    case 'language':
      checkLanguage('ttsLanguage', fields['ttsLanguage']);
      checkLanguage('transcriptionLanguage', fields['transcriptionLanguage']);
      break;
    case 'end':
      break;
    default:
      throw new DialplaneError('invalid_argument', 'The message is none of text, play, sendDigits, language, end.');
  }
  return message as AgentMessage;
}

function checkToken(token: unknown, last: unknown): void {
  const isToken = typeof token === 'string' && [...tokensOf(token)].length <= 1;
  if (isToken && (last === undefined || typeof last === 'boolean')) return;
  throw new DialplaneError('invalid_argument', '"token" is no text of at most 4,000 characters, or "last" no boolean.');
}
