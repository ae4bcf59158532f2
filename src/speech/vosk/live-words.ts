/**
 * Words while they are said, by the WebSocket protocol of vosk-server: one connection for each utterance. It sends the
 * rate of the samples, audio in pieces, and `eof`. The server answers each piece with words that may still change
 * (`partial`) or with final words (`text`). It answers `eof` with the last final words.
 */
import { type RawData, WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { decodeMulaw } from '../../audio/mulaw.ts';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { valueAt } from '../../lib/json-object.ts';
import { createCallBudgets } from '../openai/budgets.ts';
import { type LiveSpeechToText, type LiveWords, ModelError } from '../port.ts';

export type LiveServer = {
  readonly url: string;
  /** The language of the server's model, as a tag such as `en`. */
  readonly language: string;
};

const CONNECT_MS = 5_000;
const MESSAGE_BYTES_MAX = 256 * 1024;
const TEXT_CHARS_MAX = 20_000;
/** Audio is sent in pieces of 100 ms, because the server answers each piece. */
const PIECE_FRAMES = 5;
/** 20 s of audio: a longer utterance is split. */
const UNSENT_BYTES_MAX = 20 * 2 * SAMPLE_RATE_HZ;
const CALL_LIMITS = { requestsMax: 2_000, audioMsMax: 4 * 3_600_000 };

/** Returns the adapter. It opens no connection before the first words. */
export function createVoskLiveSpeech(server: LiveServer, limits = CALL_LIMITS): LiveSpeechToText {
  const budgets = createCallBudgets(limits);
  return {
    hears: (language) => primaryOf(language) === primaryOf(server.language),
    listen: ({ ledgerId }, { callRef, onPartial, signal }) => {
      const call = `${ledgerId}:${callRef}`;
      if (!budgets.takeRequest(call)) return undefined;
      const takeAudio = () => budgets.takeAudio(call, FRAME_MS) === FRAME_MS;
      return new VoskUtterance(server.url, { onPartial, signal, takeAudio });
    },
  };
}

type UtteranceOptions = {
  readonly onPartial: (words: string) => void;
  readonly signal: AbortSignal;
  /** Returns false if the call has used up its audio. */
  readonly takeAudio: () => boolean;
};

class VoskUtterance implements LiveWords {
  readonly #socket: WebSocket;
  readonly #options: UtteranceOptions;
  readonly #words = Promise.withResolvers<string | null>();
  #frames: Uint8Array[] = [];
  /** Audio that is sent when the connection opens. */
  #unsent: Buffer[] = [];
  #unsentBytes = 0;
  #text = '';
  #asked = 0;
  #answered = 0;
  #isFinished = false;

  constructor(url: string, options: UtteranceOptions) {
    this.#options = options;
    this.#socket = new WebSocket(url, { handshakeTimeout: CONNECT_MS, maxPayload: MESSAGE_BYTES_MAX });
    // The words of a dropped utterance are not awaited.
    this.#words.promise.catch(() => undefined);
    options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#socket.on('open', () => this.#begin());
    this.#socket.on('message', (message, isBinary) => this.#take(message, isBinary));
    this.#socket.on('error', (cause) => this.#fail('unavailable', 'the live speech server cannot be reached', cause));
    this.#socket.on('close', (code) => this.#close(code));
    if (options.signal.aborted) this.#abort();
  }

  write(frame: Uint8Array): void {
    if (this.#isFinished) return;
    if (!this.#options.takeAudio()) {
      this.#fail('spent', 'the call has used up its audio budget');
      return;
    }
    this.#frames.push(frame);
    if (this.#frames.length >= PIECE_FRAMES) this.#flush();
  }

  finish(): Promise<string | null> {
    if (!this.#isFinished) {
      this.#flush();
      this.#isFinished = true;
      if (this.#socket.readyState === WebSocket.OPEN) this.#end();
      // The server is not connected yet. The other server gets the whole utterance sooner.
      else this.#fail('unavailable', 'the live speech server was not connected in time');
    }
    return this.#words.promise;
  }

  cancel(): void {
    this.#abort();
  }

  readonly #abort = (): void => this.#fail('unavailable', 'the words are no longer needed');

  #begin(): void {
    this.#socket.send(JSON.stringify({ config: { sample_rate: SAMPLE_RATE_HZ } }));
    for (const piece of this.#unsent.splice(0)) this.#send(piece);
  }

  #flush(): void {
    const frames = this.#frames.splice(0);
    if (frames.length === 0) return;
    const { buffer } = decodeMulaw(Buffer.concat(frames));
    const piece = Buffer.from(buffer);
    if (this.#socket.readyState === WebSocket.OPEN) this.#send(piece);
    else this.#unsent.push(piece);
    this.#unsentBytes += piece.length;
    const waiting = this.#socket.readyState === WebSocket.OPEN ? this.#socket.bufferedAmount : this.#unsentBytes;
    if (waiting > UNSENT_BYTES_MAX) this.#fail('unavailable', 'the live speech server is too slow');
  }

  #send(message: Buffer | string): void {
    this.#asked++;
    this.#socket.send(message);
  }

  #end(): void {
    this.#send(JSON.stringify({ eof: 1 }));
  }

  #take(message: RawData, isBinary: boolean): void {
    const reply = isBinary ? undefined : parse(message.toString());
    const [text, partial] = [valueAt(reply, 'text'), valueAt(reply, 'partial')];
    if (typeof text !== 'string' && typeof partial !== 'string') {
      this.#fail('refused', 'the live speech server has sent no words');
      return;
    }
    this.#answered++;
    if (typeof text === 'string') this.#text = join(this.#text, text);
    if (this.#isFinished) {
      if (this.#answered >= this.#asked) this.#resolve();
    } else {
      const words = join(this.#text, typeof partial === 'string' ? partial : '');
      if (words !== '') this.#options.onPartial(words);
    }
  }

  /** The server closes after its answer to `eof`. */
  #close(code: number): void {
    if (this.#isFinished && code === 1000) this.#resolve();
    else this.#fail('unavailable', `the live speech server has closed with ${code}`);
  }

  #resolve(): void {
    this.#words.resolve(this.#text === '' ? null : this.#text);
    this.#leave();
  }

  #fail(kind: ModelError['kind'], message: string, cause?: unknown): void {
    this.#words.reject(new ModelError(kind, message, { cause }));
    this.#leave();
  }

  #leave(): void {
    this.#isFinished = true;
    this.#unsent = [];
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#socket.terminate();
  }
}

const primaryOf = (language: string) => language.split('-')[0]?.toLowerCase();

const join = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, TEXT_CHARS_MAX);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
