/** The connection to a model that hears and speaks: a server with OpenAI's Realtime API. */
import { WebSocket } from 'ws';

/** The events of the server that the agent uses. There are more. */
export type ModelEvent =
  | { type: 'session.created' | 'session.updated' | 'input_audio_buffer.speech_started' | 'response.created' }
  | { type: 'response.output_audio.delta'; item_id: string; delta: string }
  | { type: 'response.output_audio_transcript.done'; transcript: string }
  | { type: 'conversation.item.input_audio_transcription.completed'; transcript: string }
  | { type: 'response.done'; response: ModelResponse }
  | { type: 'error'; error: { code: string | null; message: string } };
type ModelResponse = {
  status: 'completed' | 'cancelled' | 'failed' | 'incomplete';
  status_details: { error?: { message?: string; code?: string } } | null;
  output: ({ type: 'message' } | FunctionCall)[];
};
export type FunctionCall = { type: 'function_call'; name: string; call_id: string; arguments: string };

/** The instructions, the voice and the tools of the model. */
export type ModelSettings = { instructions: string; voice: string; tools: object[] };

const CONNECT_MS = 10_000;
const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
/** About 20 seconds of the caller's audio. If the server is this late, the conversation no longer works. */
const UNSENT_BYTES_MAX = 256 * 1024;

export class Model {
  readonly #socket: WebSocket;
  readonly #settings: ModelSettings;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isResponding = false;
  #owesResponse = false;

  /** Connects. `onEvent` gets each event, and `onEnd` the reason why the connection has ended. */
  constructor(
    { url, key, ...settings }: ModelSettings & { url: string; key: string | undefined },
    onEvent: (event: ModelEvent) => void,
    onEnd: (error: Error) => void,
  ) {
    this.#settings = settings;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.#socket = new WebSocket(url, { headers, handshakeTimeout: CONNECT_MS, maxPayload: MESSAGE_BYTES_MAX });
    this.#ready.promise.catch(() => undefined);
    const end = (error: Error) => {
      this.#ready.reject(error);
      onEnd(error);
    };
    this.#socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as ModelEvent;
      this.#note(event);
      onEvent(event);
    });
    this.#socket.on('error', (error) => end(new Error(`the model: ${error.message}`)));
    this.#socket.on('close', (code, reason) => end(new Error(`the model closed with ${code} ${reason}`.trim())));
  }

  /** Resolves when the model has its instructions. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Sends the caller's audio: mu-law in base64. Before the server has its settings, it would take the audio for another
   * format.
   */
  hear(audio: string): void {
    if (!this.#isReady) return;
    if (this.#socket.bufferedAmount > UNSENT_BYTES_MAX) throw new Error('the model is too slow');
    this.send({ type: 'input_audio_buffer.append', audio });
  }

  /** Asks for a response, after the present one has ended: the server makes one at a time. */
  respond(): void {
    this.#owesResponse = this.#isResponding;
    if (!this.#isResponding) this.send({ type: 'response.create' });
    this.#isResponding = true;
  }

  /** Stops the words that the model is about to say. */
  cancel(): void {
    if (this.#isResponding) this.send({ type: 'response.cancel' });
  }

  send(event: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(event));
  }

  close(): void {
    this.#socket.terminate();
  }

  #note(event: ModelEvent): void {
    if (event.type === 'session.created') this.send({ type: 'session.update', session: sessionOf(this.#settings) });
    else if (event.type === 'session.updated') {
      this.#isReady = true;
      this.#ready.resolve();
    } else if (event.type === 'response.created') this.#isResponding = true;
    else if (event.type === 'response.done') {
      this.#isResponding = false;
      if (this.#owesResponse) this.respond();
    } else if (event.type === 'error') {
      // The server began to answer the caller at the same moment.
      if (event.error.code === 'conversation_already_has_active_response') this.#owesResponse = true;
      // Without its instructions the model may say anything.
      this.#ready.reject(new Error(`the model refused its settings: ${event.error.message}`));
    }
  }
}

/** Both directions have telephone audio, so nothing is converted. The server detects who speaks. */
const sessionOf = ({ instructions, voice, tools }: ModelSettings) => ({
  type: 'realtime',
  instructions,
  output_modalities: ['audio'],
  audio: {
    input: {
      format: { type: 'audio/pcmu' },
      turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
    },
    output: { format: { type: 'audio/pcmu' }, voice },
  },
  tools,
  tool_choice: 'auto',
});
