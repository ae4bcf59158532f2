import { type Dialplane, MediaConnection } from '@dialplane/sdk';
import { say as print } from '../shared/local-server.ts';
import { giveUp } from './give-up.ts';
import { createListener, recognize } from './listening.ts';
import { synthesize } from './speaking.ts';

/** What the agent does, by words and by key. */
export type Intent = { key: string; words: RegExp; act: (call: Conversation) => Promise<unknown> };
/** The first words of the agent, its intents (the first match counts), and its words if none matches. */
export type Script = { greeting: string; intents: readonly Intent[]; unclear: string };

/** How long the agent waits for the caller after its own words. */
const PATIENCE_MS = 8_000;

/** One call: its stream, the caller's words, and the agent's words. */
export class Conversation {
  readonly #client: Dialplane;
  readonly #id: string;
  readonly #script: Script;
  readonly #listener = createListener(
    () => this.#interrupt(),
    (samples) => this.#guard(this.#understand(samples)),
  );
  #media: MediaConnection | undefined;
  #isOver = false;
  /** Counts speeches and interruptions. A speech with an old number is no longer spoken. */
  #turn = 0;
  #isSpeaking = false;
  /** Runs after the last word of the present speech. */
  #next: (() => void) | undefined;
  /** The speech that the server speaks, if this machine cannot. */
  #speechId: string | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(client: Dialplane, id: string, script: Script) {
    this.#client = client;
    this.#id = id;
    this.#script = script;
  }

  log(text: string): void {
    print(`${this.#id} ${text}`);
  }

  /** Connects to the audio of the call, and greets the caller. */
  start(): void {
    this.#guard(this.#open());
  }

  async #open(): Promise<void> {
    const stream = await this.#client.mediaStreams.create(this.#id, { direction: 'bidirectional', track: 'inbound' });
    const media = new MediaConnection(stream);
    this.#media = media;
    media.on('audio', ({ pcm }) => this.#isOver || this.#listener.hear(pcm));
    media.on('dtmf', ({ digit, track }) => this.#isOver || track !== 'inbound' || this.#press(digit));
    media.on('stop', ({ reason }) => reason === 'call_ended' && this.leave());
    media.on('close', ({ code }) => this.#guard(Promise.reject(new Error(`the stream closed with ${code}`))));
    await media.connect();
    await this.say(this.#script.greeting);
  }

  /** Speaks over the stream. Without espeak-ng, the server speaks. */
  async say(text: string, next?: () => void): Promise<void> {
    this.#interrupt();
    this.#turn += 1;
    const turn = this.#turn;
    const audio = await synthesize(text);
    if (turn !== this.#turn || this.#isOver) return;
    this.log(`agent: ${text}`);
    this.#isSpeaking = true;
    this.#next = next;
    if (audio !== undefined) {
      const end = await this.#media?.play(audio);
      if (end === 'played' && turn === this.#turn) this.#finishSpeech();
      return;
    }
    const { speech_id } = await this.#client.calls.speak(this.#id, { text });
    if (turn === this.#turn) this.#speechId = speech_id;
    else await this.#client.calls.stopSpeak(this.#id);
  }

  sayAndHangUp(text: string): Promise<void> {
    return this.say(text, () => this.#guard(this.#client.calls.hangUp(this.#id)));
  }

  /** Notes that the server has ended a speech. */
  noteSpeechEnded(speechId: string): void {
    if (speechId === this.#speechId) this.#finishSpeech();
  }

  #finishSpeech(): void {
    this.#isSpeaking = false;
    this.#speechId = undefined;
    clearTimeout(this.#patience);
    if (this.#next !== undefined) this.#next();
    else this.#patience = setTimeout(() => this.#guard(this.sayAndHangUp('I cannot hear you. Goodbye.')), PATIENCE_MS);
  }

  /** Stops the agent's own words: the caller speaks or presses a key. */
  #interrupt(): void {
    clearTimeout(this.#patience);
    this.#turn += 1;
    if (!this.#isSpeaking || this.#isOver) return;
    this.log('interrupted');
    this.#isSpeaking = false;
    this.#media?.clear();
    if (this.#speechId !== undefined) this.#guard(this.#client.calls.stopSpeak(this.#id));
    this.#speechId = undefined;
  }

  #press(digit: string): void {
    this.#listener.skipTone();
    this.#interrupt();
    this.log(`caller pressed ${digit}`);
    this.#answer(this.#script.intents.find(({ key }) => key === digit));
  }

  async #understand(samples: Int16Array): Promise<void> {
    const text = await recognize(samples);
    if (this.#isOver) return;
    if (text !== undefined) this.log(`caller: ${text}`);
    this.#answer(text === undefined ? undefined : this.#script.intents.find(({ words }) => words.test(text)));
  }

  #answer(intent: Intent | undefined): void {
    this.#guard(intent === undefined ? this.say(this.#script.unclear) : intent.act(this));
  }

  /** Connects the caller with a person or the voicemail, and stops listening. */
  async transfer(to: string): Promise<void> {
    this.log(`transfer to ${to}`);
    const forPerson = { to, announce_text: 'A caller from the assistant.', on_no_answer: 'voicemail' as const };
    await this.#client.calls.transfer(this.#id, to === 'voicemail' ? { to } : forPerson);
    this.leave();
  }

  leave(): void {
    this.#isOver = true;
    clearTimeout(this.#patience);
    this.#media?.close();
  }

  #guard(work: Promise<unknown>): void {
    work.catch((error) => this.giveUp(error));
  }

  async giveUp(error: Error): Promise<void> {
    if (this.#isOver) return;
    this.leave();
    await giveUp(this.#client, this.#id, (line) => this.log(line), error);
  }
}
