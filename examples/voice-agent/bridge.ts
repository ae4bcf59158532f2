/** A call that a model answers: the gateway connects the call's audio to this program, which passes it to the model. */
import type { Dialplane, PhoneNumber } from '@dialplane/sdk';
import type { WebSocket } from 'ws';
import { say as print } from '../shared/local-server.ts';
import { giveUp } from './give-up.ts';
import { type FunctionCall, Model, type ModelEvent } from './model.ts';
import { Playout } from './playout.ts';
import { runTool, type ToolCall, toolList } from './tools.ts';

export type BridgeSettings = {
  /** The server of the model, such as wss://api.openai.com/v1/realtime?model=gpt-realtime. */
  url: string;
  key: string | undefined;
  voice: string;
  instructions: string;
  /** The person or place for callers who ask for a person. */
  person: string;
};
/** The messages of a media stream that the agent uses. */
export type StreamEvent =
  | { event: 'media'; payload: string }
  | { event: 'mark'; name: string }
  | { event: 'dtmf'; digit: string; track: 'inbound' | 'outbound' }
  | { event: 'stop'; reason: string };

/** This key leads to a person, whatever the model does. */
const PERSON_KEY = '0';
/**
 * The length of a key's tone, and a little more. The model does not get this audio, because it would mistake the tone
 * for words.
 */
const KEY_FRAMES = 25;

export class Bridge {
  readonly #client: Dialplane;
  readonly #id: string;
  readonly #tools: ToolCall;
  readonly #model: Model;
  readonly #playout = new Playout((message) => this.#line?.send(JSON.stringify(message)));
  #line: WebSocket | undefined;
  #isOver = false;
  #skippedFrames = 0;

  /** Connects to the model. */
  constructor(
    client: Dialplane,
    { id, caller, number }: { id: string; caller: string; number: PhoneNumber },
    { person, ...model }: BridgeSettings,
  ) {
    this.#client = client;
    this.#id = id;
    this.#tools = {
      ...{ client, callId: id, caller, number, person },
      heard: () => this.#playout.heard(),
      transfer: (to) => this.#transfer(to),
    };
    this.#model = new Model(
      { ...model, tools: toolList },
      (event) => this.#guard(() => this.#take(event)),
      (error) => this.#guard(() => Promise.reject(error)),
    );
  }

  log(text: string): void {
    print(`${this.#id} ${text}`);
  }

  /** Asks for the audio of the call. The gateway connects to the address, and shows the secret. */
  start(address: string, secret: string): void {
    const stream = {
      direction: 'bidirectional',
      track: 'inbound',
      connect_url: address,
      parameters: { secret },
    } as const;
    this.#guard(() => this.#client.mediaStreams.create(this.#id, stream));
  }

  /** Takes the audio of the call. The model greets once it has its instructions. */
  connect(line: WebSocket): void {
    this.#line = line;
    line.on('close', (code) => this.#guard(() => Promise.reject(new Error(`the stream closed with ${code}`))));
    this.#guard(async () => {
      await this.#model.ready;
      if (!this.#isOver) this.#model.respond();
    });
  }

  /** Takes a message of the stream. */
  hear(message: StreamEvent): void {
    if (this.#isOver) return;
    this.#guard(() => {
      if (message.event === 'media') this.#pass(message.payload);
      else if (message.event === 'mark') this.#playout.pass(message.name);
      else if (message.event === 'dtmf' && message.track === 'inbound') this.#press(message.digit);
      else if (message.event === 'stop') this.#end(message.reason);
    });
  }

  #pass(audio: string): void {
    if (this.#skippedFrames > 0) this.#skippedFrames -= 1;
    else this.#model.hear(audio);
  }

  #press(digit: string): void {
    this.log(`caller pressed ${digit}`);
    this.#skippedFrames = KEY_FRAMES;
    this.#interrupt();
    if (digit === PERSON_KEY) {
      this.#guard(() => this.#transfer(this.#tools.person));
      return;
    }
    const content = [{ type: 'input_text', text: `(The caller has pressed the key ${digit}.)` }];
    this.#model.cancel();
    this.#model.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    this.#model.respond();
  }

  async #take(event: ModelEvent): Promise<void> {
    if (this.#isOver) return;
    if (event.type === 'input_audio_buffer.speech_started') this.#interrupt();
    else if (event.type === 'response.output_audio.delta') {
      this.#playout.add(event.item_id, Buffer.from(event.delta, 'base64'));
    } else if (event.type === 'response.output_audio_transcript.done') this.log(`agent: ${event.transcript}`);
    else if (event.type === 'conversation.item.input_audio_transcription.completed') {
      this.log(`caller: ${event.transcript}`);
    } else if (event.type === 'error') this.log(`the model refused: ${event.error.message}`);
    else if (event.type === 'response.done') {
      const { status, status_details, output } = event.response;
      if (status === 'failed') throw new Error(status_details?.error?.message ?? 'the model failed');
      const wanted = output.filter((item): item is FunctionCall => item.type === 'function_call');
      // Function calls of a cancelled response are not run.
      if (status === 'completed' && wanted.length > 0) await this.#runTools(wanted);
    }
  }

  /** Runs the functions that the model calls, one after the other, sends it the results, and lets it speak. */
  async #runTools(wanted: FunctionCall[]): Promise<void> {
    for (const { name, arguments: args, call_id } of wanted) {
      this.log(`tool ${name} ${args}`);
      const output = await runTool(this.#tools, { name, args, id: call_id });
      if (this.#isOver || output === undefined) return;
      const item = { type: 'function_call_output', call_id, output: JSON.stringify(output) };
      this.#model.send({ type: 'conversation.item.create', item });
    }
    this.#model.respond();
  }

  /** Stops the speech, and tells the model how much of it the caller has heard. */
  #interrupt(): void {
    for (const { item, heardMs } of this.#playout.stop()) {
      this.log(`interrupted after ${heardMs} ms`);
      this.#model.send({ type: 'conversation.item.truncate', item_id: item, content_index: 0, audio_end_ms: heardMs });
    }
  }

  /** Connects the caller with a person or the voicemail, and ends the conversation with the model. */
  async #transfer(to: string): Promise<void> {
    this.log(`transfer to ${to}`);
    const forPerson = { to, announce_text: 'A caller from the assistant.', on_no_answer: 'voicemail' as const };
    await this.#client.calls.transfer(this.#id, to === 'voicemail' ? { to } : forPerson);
    this.leave();
  }

  #end(reason: string): void {
    if (reason !== 'call_ended') throw new Error(`the stream has ended: ${reason}`);
    this.leave();
  }

  leave(): void {
    this.#isOver = true;
    this.#line?.close();
    this.#model.close();
  }

  /** Does work. If it fails, gives the call to the voicemail, or ends it. */
  #guard(work: () => unknown): void {
    Promise.resolve()
      .then(work)
      .catch((error) => this.giveUp(error));
  }

  async giveUp(error: Error): Promise<void> {
    if (this.#isOver) return;
    this.leave();
    await giveUp(this.#client, this.#id, (line) => this.log(line), error);
  }
}
