import type { Dialplane } from './client.ts';
import { DialplaneError } from './errors.ts';
import type { TestResource } from './generated/resources.ts';
import type { Call, Message } from './generated/schemas.ts';
import { wait } from './waits.ts';

export {
  type Agent,
  type AgentCallEnd,
  AgentCaller,
  type AgentCallOptions,
  type AgentMessage,
  callAgent,
} from './dialogues.ts';
export { sign as signWebhook } from './webhooks.ts';

/** A text as a handset received it. */
export type ReceivedText = Awaited<ReturnType<TestResource['listOutbox']>>['data'][number];

/** A length of time: the sum of its parts. */
export type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number };

/** The fault of the carrier. */
export type FaultKind = Parameters<TestResource['setFault']>[0]['kind'];

/**
 * The clock replies once all due work has run, after up to a minute. It may first wait another minute for other moves.
 */
const CLOCK_TIMEOUT_MS = 130_000;
const POLL_MS = 50;
const WAIT_MS = 5_000;

/** Plays the other side of the simulated carrier: clock, faults, and the people with their phones. For test keys. */
export class TestMode {
  readonly #client: Dialplane;

  /** @param client with an account-wide test key */
  constructor(client: Dialplane) {
    this.#client = client;
  }

  /**
   * Moves the clock of the test data forward. When it resolves, everything that was due on the way has happened.
   * @param time seconds, or a duration such as `{ days: 1, hours: 12 }`
   * @returns the new time
   */
  async advanceClock(time: number | Duration): Promise<Date> {
    const seconds = typeof time === 'number' ? time : secondsOf(time);
    const clock = await this.#client.test.advanceClock({ advance_seconds: seconds }, { timeoutMs: CLOCK_TIMEOUT_MS });
    return new Date(clock.now);
  }

  /** Returns the time of the test data. */
  async now(): Promise<Date> {
    return new Date((await this.#client.test.getClock()).now);
  }

  /** Returns a person's phone. Any number that nothing else uses will do. */
  phone(number: string): TestPhone {
    return new TestPhone(this.#client, number);
  }

  /** Returns the people on a call. */
  call(callId: string): TestCall {
    return new TestCall(this.#client, callId);
  }

  /** Makes the carrier fail in this way `times` times, or until `clearFaults()`. */
  async fault(kind: FaultKind, options: { times?: number; delaySeconds?: number } = {}): Promise<void> {
    const { times, delaySeconds } = options;
    await this.#client.test.setFault({ kind, times, delay_seconds: delaySeconds });
  }

  /** Ends all faults. */
  async clearFaults(): Promise<void> {
    const { data } = await this.#client.test.listFaults();
    for (const { kind } of data) await this.#client.test.setFault({ kind, times: 0 });
  }

  /** Deletes all test data of the account, and sets the clock back to the real time. */
  async reset(): Promise<void> {
    await this.#client.test.reset();
  }
}

/** A person's phone. */
export class TestPhone {
  readonly number: string;
  readonly #client: Dialplane;

  constructor(client: Dialplane, number: string) {
    this.#client = client;
    this.number = number;
  }

  /** Sends a text to one of your numbers. Keywords such as STOP have taken effect when it resolves. */
  text(to: string, body: string, mediaUrls?: string[]): Promise<Message> {
    return this.#client.test.simulateInboundMessage({ from: this.number, to, body, media_urls: mediaUrls });
  }

  /** Answers the newest text that this phone received. */
  async reply(body: string): Promise<Message> {
    const [newest] = await this.texts();
    if (newest === undefined) throw new DialplaneError('invalid_argument', `${this.number} has received no text.`);
    return this.text(newest.from, body);
  }

  /** Returns the texts that this phone received: the latest 100, newest first. */
  async texts(): Promise<ReceivedText[]> {
    return (await this.#client.test.listOutbox({ to: this.number })).data;
  }

  /**
   * Waits for a text that this phone received or receives.
   * @param body a part of the text; any text by default
   */
  async waitForText(body: string | RegExp = '', options: { timeoutMs?: number } = {}): Promise<ReceivedText> {
    const { timeoutMs = WAIT_MS } = options;
    const limit = performance.now() + timeoutMs;
    const isIt = (text: ReceivedText) => (typeof body === 'string' ? text.body.includes(body) : body.test(text.body));
    for (;;) {
      const found = (await this.texts()).find(isIt);
      if (found !== undefined) return found;
      if (performance.now() > limit) {
        throw new DialplaneError('timeout', `${this.number} received no text with ${body} within ${timeoutMs} ms.`);
      }
      await wait(POLL_MS);
    }
  }

  /**
   * Calls one of your numbers.
   * @param script the actions of the people, such as `ring 2, answer, say "Hello", press 1, hangup`
   */
  call(to: string, script?: string): Promise<Call> {
    return this.#client.test.createInboundCall({ from: this.number, to, script });
  }
}

/** The people on a call. Each method resolves with the new state of the call. */
export class TestCall {
  readonly id: string;
  readonly #client: Dialplane;

  constructor(client: Dialplane, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Lets a ringing target answer: the named one, or else the first one. */
  answer(target?: string): Promise<Call> {
    return this.#client.test.answerCall(this.id, { target });
  }

  /** Hangs up; an agent that is still ringing declines. */
  hangUp(party: 'customer' | 'agent' = 'customer'): Promise<Call> {
    return this.#client.test.hangupCall(this.id, { party });
  }

  press(digits: string, party: 'customer' | 'agent' = 'customer'): Promise<Call> {
    return this.#client.test.dtmfCall(this.id, { digits, party });
  }

  say(text: string, speaker: 'customer' | 'agent' = 'customer'): Promise<Call> {
    return this.#client.test.speechCall(this.id, { speaker, text });
  }

  /** No target answers, and the caller leaves a message. */
  leaveVoicemail(message: { seconds?: number; transcript?: string } = {}): Promise<Call> {
    return this.#client.test.voicemailCall(this.id, message);
  }

  /** For the rest of the call, the person with this number acts only on request. */
  takeOver(number: string): Promise<Call> {
    return this.#client.test.takeOverCall(this.id, { number });
  }
}

function secondsOf({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): number {
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
