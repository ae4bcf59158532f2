/**
 * The text socket of one agent, from its `setup` message to the close frame. The caller is never left in silence. The
 * relay ends if its agent closes, owes an answer for 10 s, sends more than can be spoken, or breaks the protocol. The
 * call then continues with its next step (`reason` of call.relay.ended).
 */
import { type RawData, WebSocket } from 'ws';
import { FRAME_MS } from '../../../audio/frames.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../../http/sockets/heartbeat.ts';
import type { StreamSocket } from '../stream-socket.ts';
import type { AudioSink, CallAudio, PressedDigit, RelayEnd, StopReason, TickAudio } from '../types.ts';
import { Ear, type HeardAs } from './ear.ts';
import { type AgentFrame, dtmfText, errorText, interruptText, promptText, readFrame, setupText } from './frames.ts';
import { Mouth } from './mouth.ts';
import type { AgentServices, GrantedRelay, Listener } from './types.ts';

export type AgentSocketOptions = {
  readonly webSocket: WebSocket;
  readonly heartbeat: Heartbeat;
  readonly relay: GrantedRelay;
  readonly audio: CallAudio;
  readonly services: AgentServices;
  /** Called once, for every kind of end. */
  readonly onEnd: (reason: StopReason, relay?: RelayEnd) => void;
};

/** An agent that owes an answer and sends nothing for this time is silent. */
const SILENT_MS = 10_000;
/** An agent whose text never becomes a sentence is silent after this time. */
const QUIET_MS = 30_000;
/** The most unread bytes of an agent. */
const UNREAD_BYTES_MAX = 256 * 1024;
/**
 * The limit of messages: a burst, and the messages that each tick adds. The socket is not read while the limit is used
 * up.
 */
const MESSAGES_MAX = 1_000;
const MESSAGES_PER_TICK = 10;
const MESSAGES_TO_RESUME = 100;
/** The most messages of an agent that may break the protocol. */
const INVALID_MAX = 20;
/** The relay ends after this many consecutive utterances that were not recognised, or texts that were not spoken. */
const FAILURES_MAX = 3;

const CLOSE_OF: Readonly<Record<RelayEnd['reason'], CloseReason>> = {
  agent_ended: [1000, 'relay ended'],
  agent_closed: [1000, 'relay ended'],
  agent_silent: [4408, 'no answer for 10 s'],
  agent_slow: CLOSE.slowReader,
  agent_overflow: [1009, 'more text than can be spoken'],
  protocol_error: CLOSE.notThisProtocol,
  speech_failed: [1011, 'speech is unavailable'],
};

/** Sends `setup`, speaks the welcome text, and listens. The WebSocket is open; this function ends its pause. */
export function openAgentSocket(options: AgentSocketOptions): StreamSocket {
  const agent = new AgentSocket(options);
  agent.start(options);
  return agent;
}

class AgentSocket implements StreamSocket, AudioSink {
  readonly streamId: string;
  readonly droppedFrames = 0;
  readonly isWithoutFillers = true;
  readonly #relay: GrantedRelay;
  readonly #webSocket: WebSocket;
  readonly #services: AgentServices;
  readonly #onEnd: AgentSocketOptions['onEnd'];
  readonly #ear: Ear;
  readonly #mouth: Mouth;
  /** Recognises utterances live. */
  #listener: Listener | undefined;
  #removeSink: () => void = () => undefined;
  #budget = MESSAGES_MAX;
  #invalid = 0;
  #failures = 0;
  /** How long the agent has owed an answer, in milliseconds; undefined while it owes no answer. */
  #owedMs: number | undefined;
  /** The silence while the agent owes an answer, in milliseconds. Messages of the agent do not end it. */
  #quietMs = 0;
  /** Set once the agent has ended the relay. The relay ends when all texts are spoken. */
  #handoff: { readonly data: string | null } | undefined;
  #ended = false;

  constructor({ webSocket, relay, audio, services, onEnd }: AgentSocketOptions) {
    this.streamId = relay.streamId;
    this.#relay = relay;
    this.#webSocket = webSocket;
    this.#services = services;
    this.#onEnd = onEnd;
    this.#mouth = new Mouth({
      playback: audio.openPlayback(),
      interruptible: relay.relay.interruptible,
      language: relay.relay.language,
      voice: relay.relay.voice,
      speak: (text, speaking) => services.speak(relay.call, text, speaking),
      fetchFile: (url) => services.fetchFile(relay.call, url),
      onFailure: (description) => this.#fail(description),
    });
    this.#ear = new Ear({
      language: relay.relay.language,
      partials: relay.relay.partialPrompts,
      silenceMs: relay.relay.silenceMs,
      listen: (how) => this.#listener?.(how),
      recognize: (heard, how) => services.recognize(relay.call, heard, how),
      onSpeech: () => this.#interrupt(),
      onWords: (words, how) => this.#prompt(words, how),
      onFailure: () => this.#fail('What the customer said could not be recognised.'),
    });
  }

  start({ webSocket, heartbeat, relay, audio }: AgentSocketOptions): void {
    heartbeat.watch(webSocket, { answer: 'any', cutOff: () => this.#cutOff() });
    webSocket.on('message', (message, isBinary) => this.#receive(message, isBinary));
    webSocket.on('close', () => this.#end('client_closed', { reason: 'agent_closed', handoffData: null }));
    this.#send(setupText(relay));
    const { welcomeText } = relay.relay;
    // An utterance that begins before the listener is found is recognised as a whole.
    this.#services.findListener(relay.call).then(
      (listener) => {
        this.#listener = listener;
      },
      () => undefined,
    );
    if (welcomeText === null) this.#owedMs = 0;
    else this.#mouth.say(welcomeText);
    this.#removeSink = audio.addSink(this);
    webSocket.resume();
    // The socket or the audio may have ended while the relay was being prepared.
    if (webSocket.readyState !== webSocket.OPEN) this.#finish('agent_closed');
    if (audio.closed) this.stop('call_ended');
  }

  stop(reason: StopReason, closeReason: CloseReason = CLOSE.streamStopped): void {
    if (this.#ended) return;
    closeSocket(this.#webSocket, closeReason);
    this.#end(reason);
  }

  end(reason: StopReason): void {
    this.stop(reason);
  }

  write({ tick, inbound }: TickAudio): void {
    this.#ear.write(tick, inbound);
    this.#mouth.tick();
    this.#budget = Math.min(MESSAGES_MAX, this.#budget + MESSAGES_PER_TICK);
    if (this.#webSocket.isPaused && this.#budget >= MESSAGES_TO_RESUME) this.#webSocket.resume();
    if (this.#handoff !== undefined && !this.#mouth.isBusy) this.#finish('agent_ended');
    else if (this.#webSocket.bufferedAmount > UNREAD_BYTES_MAX) this.#finish('agent_slow');
    else this.#countSilence();
  }

  reportDigit({ digit, track }: PressedDigit): void {
    if (track !== 'inbound') return;
    this.#interrupt();
    if (this.#relay.relay.dtmf) this.#send(dtmfText(digit));
  }

  /** Counts how long the agent has owed an answer. The time starts again while the customer listens or speaks. */
  #countSilence(): void {
    const isQuiet = !this.#mouth.isBusy && !this.#ear.isBusy;
    if (!isQuiet) this.#quietMs = 0;
    if (this.#owedMs === undefined || this.#handoff !== undefined) return;
    this.#owedMs = isQuiet ? this.#owedMs + FRAME_MS : 0;
    this.#quietMs += FRAME_MS;
    if (this.#owedMs >= SILENT_MS || this.#quietMs >= QUIET_MS) this.#finish('agent_silent');
  }

  /** Interrupts the agent: the customer speaks, or presses a key. */
  #interrupt(): void {
    if (this.#ended) return;
    const heard = this.#mouth.interrupt();
    if (heard === undefined) return;
    this.#send(interruptText(heard));
    // The agent owes an answer even if no words follow, for example after a key press or a cough.
    this.#owedMs ??= 0;
  }

  #prompt(words: string, { isLast, language }: HeardAs): void {
    if (this.#ended) return;
    this.#failures = 0;
    // While the customer is still speaking (partial words), the rest of an interrupted text stays dropped.
    if (isLast || !this.#relay.relay.partialPrompts) this.#mouth.hearAgain();
    this.#send(promptText(words, { lang: language, last: isLast }));
    if (isLast) this.#owedMs = 0;
  }

  #receive(message: RawData, isBinary: boolean): void {
    if (this.#ended) return;
    if (--this.#budget <= 0) this.#webSocket.pause();
    const frame = isBinary ? { invalid: 'Messages are JSON text.' } : readFrame((message as Buffer).toString());
    if (!('invalid' in frame)) {
      this.#handle(frame);
      return;
    }
    this.#send(errorText(frame.invalid));
    if (++this.#invalid >= INVALID_MAX) this.#finish('protocol_error');
  }

  #handle(frame: AgentFrame): void {
    // Texts after `end` are not spoken.
    if (this.#handoff !== undefined) return;
    switch (frame.type) {
      case 'text':
        if (this.#mouth.takeText(frame) && (frame.last || frame.token.trim() !== '')) this.#noteAnswer();
        return;
      case 'play':
        if (this.#mouth.takeFile(frame)) this.#noteAnswer();
        return;
      case 'sendDigits':
        if (this.#owedMs !== undefined) this.#owedMs = 0;
        this.#services.sendDigits(this.streamId, frame.digits).catch(() => {
          this.#send(errorText('The digits could not be sent.'));
        });
        return;
      case 'language':
        this.#mouth.language = frame.spoken ?? this.#mouth.language;
        this.#ear.language = frame.heard ?? this.#ear.language;
        return;
      case 'end':
        this.#mouth.finishText();
        this.#handoff = { data: frame.handoffData };
    }
  }

  /**
   * Records that a text or a file of the agent begins to play. Before the end of a text, the agent still owes its rest.
   */
  #noteAnswer(): void {
    this.#owedMs = this.#mouth.isTexting ? 0 : undefined;
    if (this.#mouth.isOverfull) this.#finish('agent_overflow');
  }

  #fail(description: string): void {
    if (this.#ended) return;
    this.#send(errorText(description));
    if (!this.#mouth.isBusy) this.#owedMs ??= 0;
    if (++this.#failures >= FAILURES_MAX) this.#finish('speech_failed');
  }

  #send(text: string): void {
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#webSocket.send(text);
  }

  #cutOff(): void {
    this.#webSocket.terminate();
    this.#end('client_closed', { reason: 'agent_closed', handoffData: null });
  }

  #finish(reason: RelayEnd['reason']): void {
    if (this.#ended) return;
    closeSocket(this.#webSocket, CLOSE_OF[reason]);
    this.#end('client_closed', { reason, handoffData: this.#handoff?.data ?? null });
  }

  #end(reason: StopReason, relay?: RelayEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#ear.close();
    this.#mouth.close();
    this.#removeSink();
    this.#onEnd(reason, relay);
  }
}
