/**
 * A server with OpenAI's Realtime API, written from its reference and not from the example: sessions over a WebSocket,
 * turns by the caller's voice, responses with audio and function calls, and the refusals of the real server. Its model
 * knows a few sentences, and acts as the test says. It never waits for time, but reacts to frames and messages.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { concat, durationMsOf, type Pcm } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { closeAfterTests } from './close-after-tests.ts';
import type { Json } from './events.ts';
import { likeness, speakText } from './sentence-recognizer.ts';
import { powerAt } from './tone-power.ts';

export const REALTIME_KEY = 'sk-realtime';
/** A sentence with at least this likeness counts as heard. */
const FOUND = 0.6;
/** The loud frames that start a turn, and the quiet frames that end it, in the real server's usual settings. */
const START_FRAMES = 4;
const END_FRAMES = 25;
const LOUD = 500 ** 2;
/** The pulsing tone of a simulated caller who does not speak. */
const HUM_HZ = 440;
const DELTA_BYTES = 3_200;
/** The audio of a response that was being sent when the caller interrupted. */
export const LATE_HZ = 3_100;

/**
 * The actions of the model in a response: it says a text, and calls functions. `fails` is the error of a failed
 * response.
 */
export type ModelTurn = {
  say?: string;
  /** True if the model is still speaking when the caller interrupts, so that the last part comes too late. */
  isEndless?: boolean;
  calls?: { name: string; args: string }[];
  fails?: string;
};
/**
 * The inputs that a response answers: the sentences of the caller, typed texts and function outputs since the last
 * response.
 */
export type ModelInput = readonly string[];

export async function useRealtimeModel(sentences: readonly string[], act: (input: ModelInput) => ModelTurn) {
  const sessions: Session[] = [];
  const refused: string[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, connection, head) => {
    const isKnown = request.headers.authorization === `Bearer ${REALTIME_KEY}`;
    const isThere = request.url === '/v1/realtime?model=a-model';
    if (!isKnown || !isThere) {
      refused.push(request.url ?? '');
      connection.end(`HTTP/1.1 ${isThere ? 401 : 404} No\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => sessions.push(new Session(socket, sentences, act)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const { socket } of sessions) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime?model=a-model`;
  return { url, sessions, refused };
}

/** A session with one client. */
class Session {
  readonly socket: WebSocket;
  /** The client's events, except the audio. */
  readonly received: Json[] = [];
  /** The errors that the client was sent. */
  readonly errors: string[] = [];
  readonly heard: string[] = [];
  readonly #sentences: readonly string[];
  readonly #act: (input: ModelInput) => ModelTurn;
  readonly #voice = new TurnDetector();
  /** The length of the audio of each item. */
  readonly #items = new Map<string, number>();
  #input: string[] = [];
  #format: Json;
  /** The response in progress, and its item. */
  #active: { id: string; item: string } | undefined;
  #count = 0;

  constructor(socket: WebSocket, sentences: readonly string[], act: (input: ModelInput) => ModelTurn) {
    this.socket = socket;
    this.#sentences = sentences;
    this.#act = act;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    this.#send('session.created', { session: { type: 'realtime', id: 'sess_1' } });
  }

  #send(type: string, fields: object): void {
    this.#count += 1;
    this.socket.send(JSON.stringify({ type, event_id: `event_${this.#count}`, ...fields }));
  }

  #refuse(code: string | null, message: string): void {
    this.errors.push(message);
    this.#send('error', { error: { type: 'invalid_request_error', code, message, param: null, event_id: null } });
  }

  #take(event: Json): void {
    if (event.type === 'input_audio_buffer.append') {
      this.#hear(Buffer.from(event.audio, 'base64'));
      return;
    }
    this.received.push(event);
    if (event.type === 'session.update') this.#configure(event.session);
    else if (event.type === 'response.create') void this.#respond();
    else if (event.type === 'response.cancel') this.#cancel('client_cancelled');
    else if (event.type === 'conversation.item.create') this.#addItem(event.item);
    else if (event.type === 'conversation.item.truncate') this.#truncate(event);
    else this.#refuse('invalid_value', `Invalid value: '${event.type}'.`);
  }

  #configure(session: Json): void {
    const known = ['type', 'model', 'instructions', 'output_modalities', 'audio', 'tools', 'tool_choice'];
    const unknown = Object.keys(session).find((name) => !known.includes(name));
    if (session.type !== 'realtime') this.#refuse('missing_required_parameter', "Missing parameter: 'session.type'.");
    else if (unknown !== undefined) this.#refuse('unknown_parameter', `Unknown parameter: 'session.${unknown}'.`);
    else {
      this.#format = session.audio?.input?.format?.type === 'audio/pcmu' && session.audio?.output?.format?.type;
      this.#send('session.updated', { session });
    }
  }

  #addItem(item: Json): void {
    if (item.type === 'function_call_output') this.#input.push(item.output);
    else this.#input.push(...item.content.map(({ text }: Json) => text));
    this.#send('conversation.item.added', { previous_item_id: null, item: { id: `item_c${this.#count}`, ...item } });
  }

  #truncate({ item_id, content_index, audio_end_ms }: Json): void {
    const length = this.#items.get(item_id);
    if (length === undefined) this.#refuse('item_not_found', `Item with item_id not found: ${item_id}`);
    else if (audio_end_ms > length) {
      this.#refuse('invalid_value', `Audio content of ${length}ms is already shorter than ${audio_end_ms}ms`);
    } else this.#send('conversation.item.truncated', { item_id, content_index, audio_end_ms });
  }

  /** Takes mu-law. The start of speech cancels the present response, and a pause lets the model answer. */
  #hear(audio: Uint8Array): void {
    if (this.#format !== 'audio/pcmu') {
      this.#refuse('invalid_value', 'The audio is not of the format of the session.');
      return;
    }
    const turn = this.#voice.write(decodeMulaw(audio));
    if (turn === 'started') {
      this.#send('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: `item_u${this.#count}` });
      this.#cancel('turn_detected');
    } else if (turn !== undefined) void this.#hearTurn(turn);
  }

  async #hearTurn(pcm: Pcm): Promise<void> {
    const item_id = `item_u${this.#count}`;
    this.#send('input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id });
    this.#send('input_audio_buffer.committed', { previous_item_id: null, item_id });
    const spoken = await Promise.all(this.#sentences.map((sentence) => speakText(sentence)));
    const likenesses = spoken.map((sentence) => likeness(pcm, sentence));
    const best = Math.max(...likenesses);
    const words = best < FOUND ? '' : (this.#sentences[likenesses.indexOf(best)] as string);
    this.heard.push(words);
    this.#input.push(words);
    await this.#respond();
  }

  #cancel(reason: string): void {
    if (this.#active === undefined) {
      if (reason === 'client_cancelled') this.#refuse('response_cancel_not_active', 'No active response found');
      return;
    }
    const { id, item } = this.#active;
    // This audio was already being sent.
    this.#sendAudio(id, item, sine({ frequencyHz: LATE_HZ, samples: DELTA_BYTES }));
    this.#end(id, 'cancelled', { type: 'cancelled', reason }, []);
  }

  async #respond(): Promise<void> {
    if (this.#active !== undefined) {
      this.#refuse('conversation_already_has_active_response', 'Conversation already has an active response');
      return;
    }
    const [id, item] = [`resp_${this.#count}`, `item_${this.#count}`];
    this.#active = { id, item };
    this.#send('response.created', {
      response: { object: 'realtime.response', id, status: 'in_progress', output: [] },
    });
    const { say, isEndless = false, calls = [], fails } = this.#act(this.#input.splice(0));
    const pcm = say === undefined ? undefined : await speakText(say);
    if (this.#active?.id !== id) return;
    if (fails !== undefined) {
      this.#end(id, 'failed', { type: 'failed', error: { code: 'server_error', message: fails } }, []);
      return;
    }
    if (pcm !== undefined) this.#sendAudio(id, item, pcm);
    if (isEndless) return;
    if (say !== undefined) {
      const place = { response_id: id, item_id: item, output_index: 0, content_index: 0 };
      this.#send('response.output_audio.done', place);
      this.#send('response.output_audio_transcript.done', { ...place, transcript: say });
    }
    const functions = calls.map(({ name, args }, n) => {
      return { type: 'function_call', id: `item_f${this.#count}_${n}`, name, call_id: `call_${n}`, arguments: args };
    });
    this.#end(id, 'completed', null, [...(say === undefined ? [] : [{ type: 'message', id: item }]), ...functions]);
  }

  #sendAudio(response_id: string, item_id: string, pcm: Pcm): void {
    const audio = encodeMulaw(pcm);
    this.#items.set(item_id, (this.#items.get(item_id) ?? 0) + durationMsOf(pcm));
    for (let at = 0; at < audio.length; at += DELTA_BYTES) {
      const delta = Buffer.from(audio.subarray(at, at + DELTA_BYTES)).toString('base64');
      const place = { response_id, item_id, output_index: 0, content_index: 0 };
      this.#send('response.output_audio.delta', { ...place, delta });
    }
  }

  #end(id: string, status: string, status_details: object | null, output: object[]): void {
    this.#active = undefined;
    this.#send('response.done', { response: { object: 'realtime.response', id, status, status_details, output } });
  }
}

/** Finds the start and the end of a caller's turns. */
class TurnDetector {
  #frames: Pcm[] = [];
  #loud = 0;
  #quiet = 0;
  #isSpeaking = false;

  /** Takes 20 ms of audio. Returns `started` when a turn starts, and the audio of a turn when it ends. */
  write(frame: Pcm): 'started' | Pcm | undefined {
    const power = frame.reduce((sum, sample) => sum + sample ** 2, 0) / frame.length;
    const isLoud = power > LOUD && powerAt(frame, HUM_HZ) < power / 2;
    this.#frames.push(frame);
    if (!this.#isSpeaking) {
      this.#loud = isLoud ? this.#loud + 1 : 0;
      this.#frames = this.#frames.slice(-2 * START_FRAMES);
      this.#isSpeaking = this.#loud >= START_FRAMES;
      this.#quiet = 0;
      return this.#isSpeaking ? 'started' : undefined;
    }
    this.#quiet = isLoud ? 0 : this.#quiet + 1;
    if (this.#quiet < END_FRAMES) return undefined;
    const turn = concat(this.#frames);
    this.#frames = [];
    this.#loud = 0;
    this.#isSpeaking = false;
    return turn;
  }
}
