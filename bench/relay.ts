/**
 * Measures relays: the delays for a customer and an agent, and the words in the report of an interruption. Also
 * compares the processor time, memory and ticks of the gateway with the same number of plain streams of the same
 * gateway in the same run. The recogniser and the voice are fakes that take no time, so the figures measure the gateway
 * alone. Agents are in a separate process.
 *
 * In each round of 8 s a customer says something, hears an answer, interrupts it, and hears another one.
 *
 *   node bench/relay.ts [--relays 200] [--rounds 4]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { FRAME_MS } from '../src/audio/frames.ts';
import { encodeMulaw } from '../src/audio/mulaw.ts';
import { SILENT_FRAME } from '../src/audio/mulaw-frames.ts';
import { samplesOf } from '../src/audio/pcm.ts';
import { sine } from '../src/audio/tones.ts';
import { createCallAudios } from '../src/gateway/media/call-audios.ts';
import { attachGateway } from '../src/gateway/media/gateway.ts';
import { createTicker } from '../src/gateway/media/ticker.ts';
import type { Frame, RelayGrant } from '../src/gateway/media/types.ts';
import { readMemory } from './support/memory.ts';
import { percentile as percentileOf } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { type AgentOrder, type AgentRecord, LONG_TEXT, QUESTION } from './support/relay-agents.ts';

const { values } = parseArgs({
  options: { relays: { type: 'string', default: '200' }, rounds: { type: 'string', default: '4' } },
});
const RELAYS = Number(values.relays);
const ROUNDS = Number(values.rounds);
const TARGETS = { promptP50Ms: 750, audioP95Ms: 150, silenceP99Ms: 200, wordsOff: 1, liveBytes: 64 * 1_024 } as const;

const ROUND_TICKS = 400;
const SPEECH_TICKS = 30;
/** The customer interrupts at this tick: about 1.5 s after the answer began. */
const INTERRUPT_AT_TICK = 140;
const INTERRUPT_TICKS = 25;
const MS_OF_A_CHARACTER = 50;

const percentile = (list: readonly number[], share: number) =>
  percentileOf(
    list.toSorted((a, b) => a - b),
    share,
  );
const nowMs = () => performance.timeOrigin + performance.now();

/** A tone that gets louder and quieter as speech does. */
const SPEECH: readonly Frame[] = (() => {
  const ms = SPEECH_TICKS * FRAME_MS;
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(ms), amplitude: 12_000 });
  const audio = encodeMulaw(pcm.map((sample, n) => sample * (0.1 + 0.9 * Math.abs(Math.sin((n * Math.PI) / 2_000)))));
  return Array.from({ length: SPEECH_TICKS }, (_, n) => audio.subarray(n * 160, (n + 1) * 160));
})();

const voices = new Map<string, Uint8Array>();
/** Returns a voice that takes 50 ms for each character. */
function voiceOf(text: string): Uint8Array {
  const samples = samplesOf(text.length * MS_OF_A_CHARACTER);
  const voice = voices.get(text) ?? encodeMulaw(sine({ frequencyHz: 300, samples, amplitude: 8_000 }));
  voices.set(text, voice);
  return voice;
}

/** The measurements of one customer, in milliseconds of the wall clock. */
type Customer = {
  /** The last words that the customer began to say. */
  words: string;
  /** When the customer ended a speech or began an interruption. */
  readonly said: number[];
  readonly interrupted: number[];
  /** When the customer received a frame with a voice. */
  readonly heard: number[];
  /** The delay of each tick: the time of its arrival minus its due time. */
  readonly ticks: number[];
};

const customers = new Map<string, Customer>();
let isMeasuring = false;
/** The measured rounds. Events near their end are not counted, because their effect may come after it. */
let measured = { fromMs: 0, untilMs: 0 };
const isMeasured = (atMs: number) => atMs >= measured.fromMs && atMs < measured.untilMs - 2_000;

/** Returns the frame of a customer in a tick. Customers are spread over the round. */
function speak(customer: Customer, tick: number, offset: number): Frame | undefined {
  const at = (tick + offset) % ROUND_TICKS;
  if (at < SPEECH_TICKS) {
    customer.words = QUESTION;
    if (isMeasuring && at === SPEECH_TICKS - 1) customer.said.push(nowMs() + FRAME_MS);
    return SPEECH[at];
  }
  const since = at - INTERRUPT_AT_TICK;
  if (since < 0 || since >= INTERRUPT_TICKS) return undefined;
  customer.words = 'Stop.';
  if (isMeasuring && since === 0) customer.interrupted.push(nowMs());
  return SPEECH[since];
}

async function startGateway(agentPort: number) {
  const log = pino({ level: 'silent' });
  const onError = (error: unknown) => console.error(error);
  const ticker = createTicker({ onError });
  const audios = createCallAudios({
    ticker,
    onError,
    populate: async (audio, { callId }) => {
      const customer: Customer = { words: QUESTION, said: [], interrupted: [], heard: [], ticks: [] };
      customers.set(callId, customer);
      const offset = customers.size * 37;
      audio.addSource({ into: ['inbound'], read: (tick) => speak(customer, tick, offset) });
      audio.addSink({
        write: ({ tick, outbound }) => {
          if (!isMeasuring) return;
          const atMs = nowMs();
          customer.ticks.push(atMs - tick * FRAME_MS);
          if (outbound !== SILENT_FRAME) customer.heard.push(atMs);
        },
      });
      return () => undefined;
    },
  });
  const base = { direction: 'bidirectional', track: 'both', accountId: 'acc_1', parameters: {} } as const;
  const relay: RelayGrant = {
    ...{ welcomeText: null, language: 'en-US', voice: null, interruptible: true, dtmf: true },
    ...{ silenceMs: 700, partialPrompts: false, from: '', to: '', callerName: null },
    direction: 'inbound',
  };
  const server = createServer();
  const gateway = attachGateway(server, {
    ...{ nodeId: 'bench', audios, log, socketsMax: 100_000 },
    agents: {
      recognize: async ({ callId }) => customers.get(callId)?.words ?? null,
      findListener: async () => undefined,
      speak: async (_call, text) => voiceOf(text),
      fetchFile: async () => ({ problem: 'No files.' }),
      sendDigits: async () => undefined,
    },
    nodes: { find: async () => undefined },
    ingests: {
      claim: async () => ({ ok: false, refused: 'no_stream' }),
      closed: async () => undefined,
      found: async () => undefined,
    },
    streams: {
      claim: async (streamId) => {
        const call = { ledgerId: 1, callId: streamId };
        return { ok: true, stream: { ...base, streamId, call, dialect: 'native' } };
      },
      claimDial: async (streamId) => {
        const call = { ledgerId: 1, callId: streamId };
        const url = `ws://127.0.0.1:${agentPort}/`;
        return { ...base, streamId, call, dialect: 'relay', relay, url, allowLoopback: true };
      },
      connected: async () => null,
      closed: async () => undefined,
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { gateway, port: (server.address() as AddressInfo).port };
}

type Use = {
  readonly cores: number;
  /**
   * The memory of one stream. `liveBytes` are the heap and its buffers after a collection; the other figure is what the
   * system counts for the process.
   */
  readonly liveBytes: number;
  readonly residentBytes: number;
  readonly lateP99Ms: number;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens the relays or streams, lets them warm up for a round, and measures the other rounds. */
async function measure(open: () => Promise<void>): Promise<Use> {
  customers.clear();
  const before = readMemory();
  await open();
  await pause(ROUND_TICKS * FRAME_MS);
  const { live, resident } = readMemory();
  isMeasuring = true;
  const fromMs = nowMs();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await pause(ROUNDS * ROUND_TICKS * FRAME_MS);
  const { user, system } = process.cpuUsage(cpu);
  isMeasuring = false;
  measured = { fromMs, untilMs: nowMs() };
  const late = [...customers.values()].flatMap(({ ticks }) => {
    const earliest = ticks.reduce((least, offset) => Math.min(least, offset), Number.POSITIVE_INFINITY);
    return ticks.map((offset) => offset - earliest);
  });
  return {
    cores: (user + system) / 1_000 / (performance.now() - startedMs),
    liveBytes: (live - before.live) / RELAYS,
    residentBytes: (resident - before.resident) / RELAYS,
    lateP99Ms: percentile(late, 0.99),
  };
}

async function ask<Reply>(agents: ChildProcess, order: AgentOrder): Promise<Reply> {
  agents.send(order);
  const [reply] = await once(agents, 'message');
  return reply as Reply;
}

/**
 * Returns how many words of the long text have been spoken after this time. A word counts when half of it has been
 * spoken.
 */
function wordsUntil(heardMs: number): number {
  let startMs = 0;
  let words = 0;
  for (const sentence of LONG_TEXT.map((token) => token.trim())) {
    for (const { index, 0: word } of sentence.matchAll(/\S+/g)) {
      if (startMs + (index + word.length / 2) * MS_OF_A_CHARACTER <= heardMs) words++;
    }
    startMs += sentence.length * MS_OF_A_CHARACTER;
  }
  return words;
}

type Delays = { prompt: number[]; audio: number[]; silence: number[]; wordsOff: number[] };

/** Adds the delays of one relay. A delay ends at the first time in a list that is not before its start. */
function addDelays(delays: Delays, customer: Customer, records: readonly AgentRecord[]): void {
  const timesOf = (type: AgentRecord['type']) => records.filter((one) => one.type === type).map(({ atMs }) => atMs);
  const after = (times: readonly number[], fromMs: number) => times.find((atMs) => atMs >= fromMs);
  const push = (list: number[], atMs: number | undefined, fromMs: number) => {
    if (atMs !== undefined) list.push(atMs - fromMs);
  };
  for (const atMs of customer.said.filter(isMeasured)) push(delays.prompt, after(timesOf('prompt'), atMs), atMs);
  for (const atMs of timesOf('text').filter(isMeasured)) push(delays.audio, after(customer.heard, atMs), atMs);
  for (const atMs of customer.interrupted.filter(isMeasured)) {
    const told = records.find((one) => one.type === 'interrupt' && one.atMs >= atMs);
    const answered = timesOf('text').findLast((textMs) => textMs < atMs);
    if (told === undefined || answered === undefined || !isMeasured(answered)) continue;
    const heard = customer.heard.filter((heardMs) => heardMs >= answered && heardMs <= told.atMs + FRAME_MS);
    push(delays.silence, heard.at(-1), atMs);
    const words = (told.heard ?? '').split(' ').filter((word) => word !== '').length;
    delays.wordsOff.push(Math.abs(words - wordsUntil(heard.length * FRAME_MS)));
  }
}

async function main(): Promise<void> {
  const agents = fork(new URL('support/relay-agents.ts', import.meta.url));
  const [agentPort] = (await once(agents, 'message')) as [number];
  const { gateway, port } = await startGateway(agentPort);
  const ids = Array.from({ length: RELAYS }, (_, n) => n);
  const urls = ids.map((n) => `ws://127.0.0.1:${port}/v1/streams/bench/stm_${n}?token=x`);
  const plain = await measure(() => ask(agents, { do: 'open', urls }));
  await ask(agents, { do: 'close' });
  await pause(1_000);
  const relay = await measure(async () => {
    for (const n of ids) await gateway.dial(`rly_${n}`);
  });
  const records = await ask<AgentRecord[]>(agents, { do: 'report' });
  const delays: Delays = { prompt: [], audio: [], silence: [], wordsOff: [] };
  for (const [relayId, customer] of customers) {
    addDelays(
      delays,
      customer,
      records.filter((one) => one.relayId === relayId),
    );
  }
  agents.disconnect();
  process.exit(report(delays, { relay, plain }) ? 0 : 1);
}

/** Prints the figures. Returns true if they are within the targets. */
function report({ prompt, audio, silence, wordsOff }: Delays, { relay, plain }: { relay: Use; plain: Use }): boolean {
  const kib = (bytes: number) => Math.round(bytes / 1_024);
  const wordsMax = Math.max(...wordsOff);
  console.log(
    `${RELAYS} relays, ${ROUNDS} rounds, ${prompt.length} prompts, ${silence.length} interruptions; ${load()}`,
  );
  console.log(
    `last word to prompt: p50 ${percentile(prompt, 0.5).toFixed(0)} ms, p99 ${percentile(prompt, 0.99).toFixed(0)} ms`,
  );
  console.log(
    `first token to first audio: p50 ${percentile(audio, 0.5).toFixed(0)} ms, p95 ${percentile(audio, 0.95).toFixed(0)} ms`,
  );
  console.log(
    `customer's voice to silence: p50 ${percentile(silence, 0.5).toFixed(0)} ms, p99 ${percentile(silence, 0.99).toFixed(0)} ms`,
  );
  console.log(`interruption: at most ${wordsMax} words off, p99 ${percentile(wordsOff, 0.99)}`);
  for (const [name, use] of Object.entries({ relays: relay, 'plain streams': plain })) {
    const perCore = Math.round(RELAYS / use.cores);
    console.log(
      `${name}: ${use.cores.toFixed(2)} cores, ${perCore} a core, ${kib(use.liveBytes)} KiB each (${kib(use.residentBytes)} KiB resident), tick late p99 ${use.lateP99Ms.toFixed(1)} ms`,
    );
  }
  console.log(
    `relay over plain stream: processor ${(relay.cores / plain.cores).toFixed(2)}, ` +
      `memory ${(relay.liveBytes / plain.liveBytes).toFixed(2)}, tick p99 ${(relay.lateP99Ms / plain.lateP99Ms).toFixed(2)}`,
  );
  return (
    percentile(prompt, 0.5) <= TARGETS.promptP50Ms &&
    percentile(audio, 0.95) <= TARGETS.audioP95Ms &&
    percentile(silence, 0.99) <= TARGETS.silenceP99Ms &&
    wordsMax <= TARGETS.wordsOff &&
    relay.liveBytes <= TARGETS.liveBytes
  );
}

await main();
