/** The audio of the wire carrier's legs. It connects on request, with Telnyx's frames for both tracks. */
import { WebSocket } from 'ws';
import { SILENT_FRAME, toMulawFrames } from '../../src/audio/mulaw-frames.ts';
import type { Track } from '../../src/carriers/ports/call-audio.ts';
import { PARTIES, type VoiceCommand, type VoicePort } from '../../src/carriers/ports/voice.ts';
import { savedCallOf } from '../../src/carriers/simulated/voice/queries.ts';
import type { Database } from '../../src/db/database.ts';
import { createCallAudios } from '../../src/gateway/media/call-audios.ts';
import { createLiveQueue } from '../../src/gateway/media/live-queue.ts';
import { createTicker, type MonotonicClock } from '../../src/gateway/media/ticker.ts';
import type { AudioSink, AudioSource, CallAudio, Frame } from '../../src/gateway/media/types.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { tonesFor } from '../../src/speech/speech-tones.ts';
import { time } from '../support/emulator-time.ts';

export type AudioLines = {
  /** Connects to the address of a `start_stream`. Other commands change nothing. */
  follow(ledger: Ledger, command: VoiceCommand): void;
  /** Milliseconds of sound that the product has played to the customer of a call. */
  playedMs(callRef: string): number;
  /** Connections that have been opened for a call. */
  connections(callRef: string): number;
  /** Silences the parties of a call between their words, because their tones would be taken for speech. */
  hush(callRef: string): void;
  /** Lets the customer of a call say words, at once. */
  say(callRef: string, text: string): void;
  /** Breaks the connections of a call, as a network does. */
  cut(callRef: string): void;
  /** Ends all audio. */
  close(): void;
};

const clock: MonotonicClock = {
  nowMs: () => time.monotonicMs(),
  after: (delayMs, wake) => {
    const timer = time.after(Math.ceil(delayMs), wake);
    return () => timer.cancel();
  },
};

/** Creates the lines of a carrier whose audio this process makes, and which keeps its calls in the database. */
export function createAudioLines(db: Database, voice: VoicePort): AudioLines {
  const onError = (error: unknown) => console.error(error);
  const populate = voice.audio?.populate;
  if (populate === undefined) throw new Error('the carrier behind the wire makes its audio itself');
  const hushed = new Set<string>();
  const ticker = createTicker({ onError, clock });
  const audios = createCallAudios({
    ticker,
    populate: (audio, call) =>
      populate(
        withHush(audio, () => hushed.has(call.callId)),
        call,
      ),
    onError,
  });
  const played = new Map<string, number>();
  const opened = new Map<string, number>();
  const lines = new Map<WebSocket, Line>();
  const socketsOf = (callRef: string) => [...lines].filter(([, line]) => line.callRef === callRef);

  /** Ends the connections of legs that have ended. */
  const endOver = async (callRef: string) => {
    for (const [socket, { ledger, legRef }] of socketsOf(callRef)) {
      const found = await voice.findLegs(ledger, callRef);
      const legs = found.found === 'accepted' ? found.legs : [];
      const isOver = !legs.some((leg) => leg.legRef === legRef && leg.state !== 'ended');
      if (isOver && socket.readyState === socket.OPEN) socket.send('{"event":"stop"}');
    }
  };
  db.onSignal((signal) => {
    const callRef = savedCallOf(signal);
    if (callRef !== undefined) endOver(callRef).catch(onError);
  });

  const connect = async (line: Line) => {
    const { ledger, callRef, url } = line;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    // An address that cannot be reached: the product asks again.
    socket.on('error', () => undefined);
    lines.set(socket, line);
    socket.once('close', () => lines.delete(socket));
    socket.once('open', () => {
      socket.send('{"event":"start","start":{"media_format":{"encoding":"PCMU","sample_rate":8000,"channels":1}}}');
      opened.set(callRef, (opened.get(callRef) ?? 0) + 1);
      endOver(callRef).catch(onError);
    });
    const { audio, release } = await audios.acquire({ ledgerId: ledger.ledgerId, callId: callRef });
    const leave = join(socket, audio, () => played.set(callRef, (played.get(callRef) ?? 0) + 20));
    const end = () => {
      leave();
      release();
    };
    if (socket.readyState === socket.CLOSED) end();
    else socket.once('close', end);
  };

  return {
    follow: (ledger, { callRef, instruction }) => {
      if (instruction.do !== 'start_stream' || instruction.url === undefined) return;
      const { legRef, url } = instruction;
      connect({ ledger, callRef, legRef, url }).catch(onError);
    },
    playedMs: (callRef) => played.get(callRef) ?? 0,
    connections: (callRef) => opened.get(callRef) ?? 0,
    hush: (callRef) => {
      hushed.add(callRef);
    },
    say: (callRef, text) => {
      const frames = toMulawFrames(tonesFor(text)).values();
      audios.find(callRef)?.addSource({ into: ['inbound'], read: () => frames.next().value });
    },
    cut: (callRef) => {
      for (const [socket] of socketsOf(callRef)) socket.terminate();
    },
    close: () => {
      for (const socket of lines.keys()) socket.terminate();
      ticker.stop();
    },
  };
}

/** Returns the audio of a call. Its first sources, the tones of the parties, are heard while `isHushed` is false. */
function withHush(audio: CallAudio, isHushed: () => boolean): CallAudio {
  let tones = 0;
  const addSource: CallAudio['addSource'] = (source) => {
    const { read } = source;
    if (tones++ < PARTIES.length)
      Object.assign(source, { read: (tick: number) => (isHushed() ? undefined : read(tick)) });
    return audio.addSource(source);
  };
  return {
    callId: audio.callId,
    addSource,
    addSink: (sink) => audio.addSink(sink),
    openPlayback: () => audio.openPlayback(),
    reportDigit: (pressed) => audio.reportDigit(pressed),
    confirmMark: (name) => audio.confirmMark(name),
    close: (reason) => audio.close(reason),
    get hasPlayback() {
      return audio.hasPlayback;
    },
    get closed() {
      return audio.closed;
    },
  };
}

type Line = { readonly ledger: Ledger; readonly callRef: string; readonly legRef: string; readonly url: string };

/** Connects the socket with the call: sends the call's audio, and plays the received audio to the customer. */
function join(socket: WebSocket, audio: CallAudio, onPlayed: () => void): () => void {
  const back = createLiveQueue();
  const source: AudioSource = { into: ['outbound'], read: () => back.read() };
  let chunk = 0;
  const send = (track: Track, frame: Frame) => {
    const media = { track, chunk: String(chunk), payload: Buffer.from(frame).toString('base64') };
    socket.send(JSON.stringify({ event: 'media', media }));
  };
  const sink: AudioSink = {
    ownSources: [source],
    write: ({ inbound, outbound }) => {
      if (socket.readyState !== socket.OPEN) return;
      chunk++;
      send('inbound', inbound);
      send('outbound', outbound);
    },
  };
  socket.on('message', (message) => {
    const { event, media, mark } = JSON.parse(String(message));
    if (event === 'mark') socket.send(JSON.stringify({ event, mark }));
    if (event === 'clear') back.clear();
    if (event !== 'media') return;
    const frame = Buffer.from(media.payload, 'base64');
    back.push(frame);
    if (!frame.equals(SILENT_FRAME)) onPlayed();
  });
  const removals = [audio.addSource(source), audio.addSink(sink)];
  return () => {
    for (const remove of removals) remove();
  };
}
