/**
 * A server with the WebSocket protocol of vosk-server, written from its asr_server.py and not from the adapter. It
 * answers each piece of audio, in order, and closes after `eof`. It recognises a word in each 200 ms of sound.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeAfterTests } from './close-after-tests.ts';

const BYTES_PER_WORD = 200 * 16;
/** Samples louder than this are sound. */
const LOUD = 300;
/** This many words become final. */
const FINAL_WORDS = 4;

/** The fault of the server: it never answers, or closes the connection in the middle. */
type VoskFault = 'silent' | 'dies' | undefined;

export async function useVoskServer(words: readonly string[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  /** For each utterance: the rate of its audio, its bytes, its answers, and whether its end arrived. */
  const utterances: { rate: number | undefined; bytes: number; answers: string[]; isEnded: boolean }[] = [];
  const state = { fault: undefined as VoskFault, utterances, url: '' };
  server.on('connection', (socket) => {
    const utterance = { rate: undefined as number | undefined, bytes: 0, answers: [] as string[], isEnded: false };
    utterances.push(utterance);
    const recognizer = createRecognizer(words);
    socket.on('message', (data, isBinary) => {
      if (state.fault === 'silent') return;
      if (state.fault === 'dies' && utterance.bytes > 0) return socket.terminate();
      const answer = isBinary
        ? takeAudio(utterance, recognizer, data as Buffer)
        : takeText(utterance, recognizer, data);
      if (answer === undefined) return undefined;
      const text = JSON.stringify(answer);
      utterance.answers.push(text);
      socket.send(text);
      return utterance.isEnded ? close(socket) : undefined;
    });
  });
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  state.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

const close = (socket: WebSocket): void => socket.close(1000);

type Recognizer = ReturnType<typeof createRecognizer>;
type Utterance = { rate: number | undefined; bytes: number; isEnded: boolean };

function takeAudio(utterance: Utterance, recognizer: Recognizer, audio: Buffer): object {
  utterance.bytes += audio.length;
  return recognizer.accept(audio);
}

function takeText(utterance: Utterance, recognizer: Recognizer, data: unknown): object | undefined {
  const message = JSON.parse(String(data));
  if (message.config !== undefined) {
    utterance.rate = message.config.sample_rate;
    return undefined;
  }
  if (message.eof !== 1) throw new Error(`vosk-server knows no ${String(data)}`);
  utterance.isEnded = true;
  return recognizer.end();
}

/** Recognises a word in each 200 ms of sound. Some words become final before the end, as after a pause. */
function createRecognizer(words: readonly string[]) {
  let [soundBytes, finalWords] = [0, 0];
  const heard = () => words.slice(finalWords, Math.floor(soundBytes / BYTES_PER_WORD));
  const text = () => {
    const found = heard();
    finalWords += found.length;
    return { text: found.join(' ') };
  };
  return {
    accept: (audio: Buffer): object => {
      for (let at = 0; at + 1 < audio.length; at += 2) if (Math.abs(audio.readInt16LE(at)) > LOUD) soundBytes += 2;
      return heard().length >= FINAL_WORDS ? text() : { partial: heard().join(' ') };
    },
    end: text,
  };
}
