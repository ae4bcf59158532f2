/**
 * The gateway role: the sockets of media streams, of carriers' audio and of web clients' audio, and this node's
 * heartbeat.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Context } from '../context.ts';
import { findLedger } from '../db/ledgers.ts';
import {
  type ClaimRefusal,
  claimIngest,
  claimStream,
  closeStream,
  connectStream,
  findNodeUrl,
  findOverStreams,
  type StreamEnd,
  seeNode,
  streamEndOf,
  untilStreamRequested,
} from '../domain/voice/index.ts';
import { createCallAudios } from '../gateway/media/call-audios.ts';
import { attachGateway, type Gateway } from '../gateway/media/gateway.ts';
import { createTicker } from '../gateway/media/ticker.ts';
import type { CallAudios, IngestDirectory, Populate, StreamDirectory } from '../gateway/media/types.ts';
import { attachWebClientAudio, type WebClientAudioOptions } from '../gateway/web-client/attach-audio.ts';
import { ignoreError } from '../lib/ignore-error.ts';

export type GatewaySettings = {
  /** Where the other gateways reach this one: ws:// or wss://, without a trailing slash. */
  readonly url: string;
  /** How often the node says that it is there; far below the 10 s after which it counts as lost. */
  readonly heartbeatMs?: number;
};

export type GatewayParts = Pick<WebClientAudioOptions, 'authorizer' | 'webClientPortOf'> & {
  /** Makes the parties of a test ledger's call audible. */
  readonly simulate: Populate;
};

export type GatewayNode = {
  readonly nodeId: string;
  /** Takes no more sockets of streams and web clients; resolves when those it has are over or `drainMs` have passed. */
  drain(drainMs: number): Promise<void>;
  close(): Promise<void>;
};

const HEARTBEAT_MS = 2_000;
const CHANNEL = 'media-streams';

/** Passes ends of streams that are written in this process on to the gateways, of which it may be one. */
export function linkStreamEnds({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const end = streamEndOf(signal);
    if (end !== undefined) bus.publish(CHANNEL, JSON.stringify(end));
  });
}

/** Serves media on the server, and makes this node known. */
export async function openGateway(
  server: Server,
  context: Context,
  { url, heartbeatMs = HEARTBEAT_MS, ...parts }: GatewaySettings & GatewayParts,
): Promise<GatewayNode> {
  const { db, bus, log } = context;
  const nodeId = randomUUID();
  const onError = (error: unknown) => log.error({ err: error }, 'a part of a call’s audio failed and was taken out');
  const onSkip = (ticks: number) => log.warn({ ticks }, 'the process stood still: audio was left out');
  const ticker = createTicker({ onError, onSkip });
  const audios: CallAudios = createCallAudios({ ticker, populate: populateWith(context, parts.simulate), onError });
  const connected = new Set<string>();
  const nodes = { find: (id: string) => findNodeUrl(db, id) };
  const streams = createStreams(context, connected);
  const gateway: Gateway = attachGateway(server, {
    nodeId,
    nodes,
    audios,
    log,
    streams,
    ingests: createIngests(context),
  });
  const { authorizer, webClientPortOf } = parts;
  const webClients = attachWebClientAudio(server, context, { nodeId, nodes, authorizer, webClientPortOf, audios });

  let isDraining = false;
  const stopOver = async () => {
    if (connected.size === 0) return;
    for (const { streamId, reason } of await findOverStreams(db, [...connected])) gateway.stop(streamId, reason);
  };
  bus.subscribe(CHANNEL, (payload) => {
    const { streamId, reason } = JSON.parse(payload) as StreamEnd;
    gateway.stop(streamId, reason);
  });
  bus.onGap(() => ignoreError(stopOver(), log, 'the heartbeat looks again'));

  const see = () => seeNode(db, { nodeId, url, isDraining });
  await see();
  const heartbeat = setInterval(() => {
    const beat = Promise.all([see(), stopOver()]);
    ignoreError(beat, log, 'streams go on while the database is away; the next beat says so');
  }, heartbeatMs).unref();

  const drain = async (drainMs: number) => {
    isDraining = true;
    await see().catch((error: unknown) => log.warn({ err: error }, 'new streams are refused one by one'));
    await Promise.all([gateway.drain(drainMs), webClients.drain(drainMs)]);
  };
  return {
    nodeId,
    drain,
    close: async () => {
      await drain(0);
      clearInterval(heartbeat);
      ticker.stop();
    },
  };
}

/** The parties of test calls are simulated; those of live ones come over sockets. */
function populateWith({ db }: Pick<Context, 'db'>, simulate: Populate): Populate {
  return async (audio, call) => {
    const ledger = await findLedger(db, call.ledgerId);
    return ledger?.mode === 'test' ? simulate(audio, call) : () => undefined;
  };
}

const REFUSALS = { no_stream: 4404, elsewhere: 1013, bad_token: 4401 } as const satisfies Record<ClaimRefusal, number>;

/** @param connected streams whose clients are on this node, which this keeps */
function createStreams({ db }: Context, connected: Set<string>): StreamDirectory {
  return {
    claim: async (streamId, token, nodeId) => {
      await untilStreamRequested(db, streamId);
      const claimed = await claimStream(db, { streamId, token, nodeId });
      if (typeof claimed === 'string') return { ok: false, refused: REFUSALS[claimed] };
      connected.add(streamId);
      const { ledger_id: ledgerId, call_id: callId, direction, track } = claimed;
      return { ok: true, stream: { streamId, call: { ledgerId, callId }, direction, track } };
    },
    connected: (streamId) => connectStream(db, streamId),
    closed: async (streamId, ending) => {
      await closeStream(db, streamId, ending);
      connected.delete(streamId);
    },
  };
}

function createIngests(context: Context): IngestDirectory {
  const { db, carriers } = context;
  return {
    claim: async (streamId, token, nodeId) => {
      const claimed = await claimIngest(context, { streamId, token, nodeId });
      if (typeof claimed === 'string') return { ok: false, refused: REFUSALS[claimed] };
      const { ledger_id: ledgerId, call_id: callId, direction, track } = claimed;
      const ledger = await findLedger(db, ledgerId);
      const dialect = ledger && carriers.voice(ledger).mediaSocket;
      if (dialect === undefined) return { ok: false, refused: 4404 };
      const plays = direction === 'bidirectional';
      const grant = {
        call: { ledgerId, callId },
        dialect,
        track: track === 'both' ? 'inbound' : track,
        plays,
      } as const;
      return { ok: true, grant };
    },
    closed: async (streamId, how) => {
      // What a carrier ends it reports as well; one that goes without a word cannot.
      if (how === 'lost') await closeStream(db, streamId, { reason: 'carrier_error' });
    },
  };
}
