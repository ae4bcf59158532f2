/**
 * The gateway role: one node of the media gateway. It serves the sockets of media streams, of carriers' audio and of
 * web clients' audio. The node has a row in the database, which a heartbeat renews. Other processes find it by that
 * row.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import {
  agentDigitsOf,
  type ClaimedDial,
  type ClaimedStream,
  claimDial,
  claimStream,
  closeStream,
  connectStream,
  findCallConnection,
  findNodeUrl,
  findOverStreams,
  keepCutUtterance,
  listDials,
  removeNode,
  type StreamDial,
  type StreamEnd,
  seeNode,
  streamDialOf,
  streamEndOf,
  untilStreamRequested,
} from '../../domain/voice/index.ts';
import { createCallAudios } from '../../gateway/media/call-audios.ts';
import { attachGateway } from '../../gateway/media/gateway.ts';
import { createTicker } from '../../gateway/media/ticker.ts';
import type {
  CallAudio,
  CallAudios,
  CallRef,
  GrantedStream,
  Populate,
  RelayGrant,
  StreamDirectory,
} from '../../gateway/media/types.ts';
import { createUtteranceReports, type UtteranceReports } from '../../gateway/media/utterance-reports.ts';
import type { AgentServices } from '../../gateway/media/voice-agent/types.ts';
import { type AgentSpeechOptions, createAgentSpeeches } from '../../gateway/web-client/agent-speech.ts';
import { attachWebClientAudio, type WebClientAudioOptions } from '../../gateway/web-client/attach-audio.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every } from '../../lib/time/time.ts';
import { publishDigits, subscribeDigits } from './agent-digits.ts';
import { createIngestDirectory } from './ingest-directory.ts';
import { closeLeftCalls, linkLeftCalls } from './left-calls.ts';

export type GatewaySettings = {
  /** The address of this gateway for the other gateways: ws:// or wss://, without a trailing slash. */
  readonly url: string;
  /**
   * The node renews its row at this interval. It is far below 10 s: a node without a renewal counts as lost after that
   * time.
   */
  readonly heartbeatMs?: number;
};

export type GatewayParts = Pick<WebClientAudioOptions, 'authorizer' | 'exchange' | 'handsets'> &
  Pick<AgentSpeechOptions, 'synthesizer'> & { readonly agents: AgentServices };

export type GatewayNode = {
  readonly nodeId: string;
  /**
   * Marks the node as draining, so that it gets no more calls. Sockets may still connect to addresses of this node. If
   * a call needs a new address, the call leaves the node (`left-calls.ts`).
   */
  announceDrain(): Promise<void>;
  /** Returns how many sockets of each kind are open. */
  load(): Record<'streams' | 'ingests' | 'relays' | 'web_clients', number>;
  /** Refuses new sockets. Resolves when the open sockets have ended, or after `drainMs`. */
  drain(drainMs: number): Promise<void>;
  close(): Promise<void>;
};

const HEARTBEAT_MS = 2_000;
const SPEECHES_REPORTED_WITHIN_MS = 1_000;
const STREAM_ENDS_CHANNEL = 'media-streams';
const STREAM_DIALS_CHANNEL = 'media-stream-dials';

/**
 * Sends messages about streams from this process to all gateways, including its own. They are about ends of streams,
 * streams that a gateway must connect, and digits of agents.
 */
export function linkStreams({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  linkLeftCalls({ db, bus });
  db.onSignal((signal) => {
    const end = streamEndOf(signal);
    if (end !== undefined) bus.publish(STREAM_ENDS_CHANNEL, JSON.stringify(end));
    const dial = streamDialOf(signal);
    if (dial !== undefined) bus.publish(STREAM_DIALS_CHANNEL, JSON.stringify(dial));
    const digits = agentDigitsOf(signal);
    if (digits !== undefined) publishDigits(bus, digits);
  });
}

/** Serves media sockets on the server, and adds this node's row. */
export async function openGateway(
  server: Server,
  context: Context,
  { url, heartbeatMs = HEARTBEAT_MS, ...parts }: GatewaySettings & GatewayParts,
): Promise<GatewayNode> {
  const { db, log, metrics } = context;
  const nodeId = randomUUID();
  const utterances = createUtteranceReports({
    log,
    nowMs: context.clock.now,
    keep: (ledger, callId, utterance) => keepCutUtterance(context, ledger, { callId, ...utterance }),
  });
  const { audios, cutterOf, stopTicks } = createAudio(context, utterances);
  const connected = new Set<string>();
  const nodes = { find: (id: string) => findNodeUrl(db, id) };
  const streams = createStreamDirectory(context, connected);
  const ingests = createIngestDirectory(context);
  const { authorizer, exchange, handsets, synthesizer, agents } = parts;
  const gateway = attachGateway(server, { nodeId, nodes, audios, agents, log, streams, ingests });
  const speeches = createAgentSpeeches(context, { nodeId, synthesizer });
  const ofWebClients = { nodeId, nodes, authorizer, exchange, handsets, audios, speeches, cutterOf };
  const webClients = attachWebClientAudio(server, context, ofWebClients);
  const stopEnded = stopEndedStreams(context, gateway.stop, connected);
  const dialWaiting = dialStreams(context, nodeId, gateway.dial);
  const closeLeft = closeLeftCalls(context, nodeId, audios);

  metrics.sample(() => {
    metrics.callsWithAudio.set(audios.size);
    for (const [kind, count] of Object.entries(gateway.sockets)) metrics.mediaSockets.set({ kind }, count);
    metrics.webClientSockets.set({ kind: 'audio' }, webClients.size);
  });

  let isDraining = false;
  const renewNode = () => seeNode(db, { nodeId, url, isDraining });
  await renewNode();
  let beat: Promise<unknown> = Promise.resolve();
  const heartbeat = every(heartbeatMs, () => {
    beat = Promise.all([renewNode(), stopEnded(), dialWaiting(), isDraining ? closeLeft() : undefined]);
    ignoreError(beat, log, 'streams go on without the database; the next heartbeat renews the node');
  }).unref();

  const announceDrain = async () => {
    if (isDraining) return;
    isDraining = true;
    await renewNode().catch((error: unknown) =>
      log.warn({ err: error }, 'could not mark the gateway as draining; it closes new streams with 1012'),
    );
  };
  const remove = async () => {
    // Waits for a running renewal. If it ended after the removal of the row, it would add the row again.
    await beat.catch(() => undefined);
    await removeNode(db, nodeId).catch((error: unknown) =>
      log.warn({ err: error }, 'could not remove the gateway; calls whose audio it had get another one after 10 s'),
    );
  };
  const drain = async (drainMs: number) => {
    await announceDrain();
    await Promise.all([gateway.drain(drainMs), webClients.drain(drainMs)]);
  };
  return {
    nodeId,
    announceDrain,
    load: () => ({ ...gateway.sockets, web_clients: webClients.size }),
    drain,
    close: async () => {
      await drain(0);
      heartbeat.cancel();
      await Promise.all([gateway.close(), webClients.close()]);
      await Promise.all([utterances.settled(), speeches.settle(SPEECHES_REPORTED_WITHIN_MS), remove()]);
      stopTicks();
    },
  };
}

/**
 * Creates the call audios of the node. The carrier adds the parties of a call, or the parties have sockets. If the
 * carrier does not cut the parties' audio into utterances, this node cuts it. It also cuts the audio of a web client
 * that the carrier does not receive.
 */
function createAudio({ db, bus, carriers, log }: Context, utterances: UtteranceReports) {
  const onError = (error: unknown) => log.error({ err: error }, "removed a part of a call's audio, because it failed");
  const onSkip = (ticks: number) => log.warn({ ticks }, 'event loop stalled; audio frames skipped');
  const ticker = createTicker({ onError, onSkip });
  /** The audio of calls whose carrier sends it. */
  const fromCarriers = new WeakSet<CallAudio>();
  const readCall = async ({ ledgerId, callId }: CallRef) => {
    const ledger = await findLedger(db, ledgerId);
    return ledger && { ledger, port: carriers.voice(ledger, await findCallConnection(db, ledger, callId)) };
  };
  const populate: Populate = async (audio, call) => {
    const read = await readCall(call);
    if (read === undefined) return () => undefined;
    const { ledger, port } = read;
    const removals = [await port.audio?.populate?.(audio, call)];
    if (port.fetchUtterance === undefined) removals.push(audio.addSink(utterances.cutterOf(ledger, call.callId)));
    if (port.audio?.dialect !== undefined) fromCarriers.add(audio);
    return () => {
      for (const remove of removals) remove?.();
    };
  };
  const audios: CallAudios = createCallAudios({ ticker, populate, onError });
  // Digits are reported here only for audio that a carrier sends. If the audio is made here, the carrier reports the
  // digits.
  subscribeDigits(bus, ({ callId, digits }) => {
    const audio = audios.find(callId);
    if (audio === undefined || !fromCarriers.has(audio)) return;
    for (const digit of digits) audio.reportDigit({ digit, track: 'outbound' });
  });
  const cutterOf = async (call: CallRef) => {
    const read = await readCall(call);
    const isCutInPart = read?.port.fetchUtterance !== undefined && read.port.audio?.dialect !== undefined;
    return isCutInPart ? utterances.webClientCutterOf(read.ledger, call.callId) : undefined;
  };
  return { audios, cutterOf, stopTicks: () => ticker.stop() };
}

/**
 * Stops streams of this node that have ended in the database, at their message on the bus and after a gap of the bus.
 * @returns a function that finds and stops all of them
 */
function stopEndedStreams(
  { db, bus, log }: Context,
  stop: (streamId: string, reason: StreamEnd['reason']) => boolean,
  connected: ReadonlySet<string>,
): () => Promise<void> {
  const stopEnded = async () => {
    if (connected.size === 0) return;
    for (const { streamId, reason } of await findOverStreams(db, [...connected])) stop(streamId, reason);
  };
  bus.subscribe(STREAM_ENDS_CHANNEL, (payload) => {
    const { streamId, reason } = JSON.parse(payload) as StreamEnd;
    stop(streamId, reason);
  });
  bus.onGap(() => ignoreError(stopEnded(), log, 'the heartbeat looks for ended streams again'));
  return stopEnded;
}

/**
 * Connects the streams that this node must connect, at their message on the bus. A message may be lost.
 * @returns a function that finds and connects all waiting streams
 */
function dialStreams(
  { db, bus, log }: Context,
  nodeId: string,
  dial: (streamId: string) => Promise<void>,
): () => Promise<void> {
  // Each stream is claimed before it is dialled, so it is not dialled twice. If a claim fails, the heartbeat finds the
  // stream again.
  const start = (streamId: string) => ignoreError(dial(streamId), log, 'the heartbeat finds the stream again');
  const dialWaiting = async () => {
    for (const streamId of await listDials(db, nodeId)) start(streamId);
  };
  bus.subscribe(STREAM_DIALS_CHANNEL, (payload) => {
    const wanted = JSON.parse(payload) as StreamDial;
    if (wanted.nodeId === nodeId) start(wanted.streamId);
  });
  bus.onGap(() => ignoreError(dialWaiting(), log, 'the heartbeat looks for streams again'));
  return dialWaiting;
}

/** @param connected the streams whose clients are on this node. The directory adds and removes them. */
function createStreamDirectory({ db, settings }: Context, connected: Set<string>): StreamDirectory {
  return {
    claim: async (streamId, token, nodeId) => {
      await untilStreamRequested(db, streamId);
      const claimed = await claimStream(db, { streamId, token, nodeId });
      if (typeof claimed === 'string') return { ok: false, refused: claimed };
      connected.add(streamId);
      return { ok: true, stream: grantedOf(streamId, claimed) };
    },
    claimDial: async (streamId, nodeId) => {
      await untilStreamRequested(db, streamId);
      const claimed = await claimDial(db, { streamId, nodeId });
      if (claimed === undefined) return undefined;
      connected.add(streamId);
      const allowLoopback = claimed.mode === 'test' && settings.allowLocalWebhooks;
      const relay = claimed.relay === null ? undefined : relayOf(claimed.relay, claimed.call);
      return { ...grantedOf(streamId, claimed), url: claimed.connect_url, allowLoopback, relay };
    },
    connected: (streamId) => connectStream(db, streamId),
    closed: async (streamId, ending) => {
      await closeStream(db, streamId, ending);
      connected.delete(streamId);
    },
  };
}

function grantedOf(streamId: string, claimed: ClaimedStream): GrantedStream {
  const {
    ledger_id: ledgerId,
    call_id: callId,
    account_id: accountId,
    direction,
    track,
    dialect,
    parameters,
  } = claimed;
  return { streamId, call: { ledgerId, callId }, accountId, direction, track, dialect, parameters };
}

function relayOf(settings: NonNullable<ClaimedDial['relay']>, call: ClaimedDial['call']): RelayGrant {
  const { welcome_text: welcomeText, language, voice, interruptible, dtmf } = settings;
  const { silence_ms: silenceMs, partial_prompts: partialPrompts } = settings;
  const { from, to, caller_name: callerName, direction } = call;
  const ofCall = { from, to, callerName, direction };
  return { welcomeText, language, voice, interruptible, dtmf, silenceMs, partialPrompts, ...ofCall };
}
