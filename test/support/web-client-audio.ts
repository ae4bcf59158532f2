/** The audio sockets of one web client, on a separate server. The test sets which legs are up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { silence } from '../../src/audio/pcm.ts';
import type { Handsets } from '../../src/carriers/ports/handset.ts';
import type { WebClientExchange } from '../../src/domain/voice/index.ts';
import { createCallAudios } from '../../src/gateway/media/call-audios.ts';
import { createTicker } from '../../src/gateway/media/ticker.ts';
import type { CallAudioLease, Populate } from '../../src/gateway/media/types.ts';
import type { PartyCutter } from '../../src/gateway/media/utterance-cutter.ts';
import { createAgentSpeeches } from '../../src/gateway/web-client/agent-speech.ts';
import { attachWebClientAudio } from '../../src/gateway/web-client/attach-audio.ts';
import { createAudioAuthorizer } from '../../src/gateway/web-client/audio-authorizer.ts';
import { createSetAudio } from '../../src/gateway/web-client/signals.ts';
import { testLedger } from './events.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import { makeTenant } from './numbers.ts';
import { makeWebClient } from './web-clients.ts';

type ReceivedMessage = {
  event: string;
  track?: string;
  seq?: number;
  payload?: string;
  reason?: string;
  message?: string;
  name?: string;
};

export type ServeOptions = {
  readonly heartbeatMs?: number;
  /** Creates the audio of a call. */
  readonly populate?: Populate;
  /** Cuts the utterances of every web client. */
  readonly cutter?: PartyCutter;
};

export async function serveWebClientAudio(
  harness: Harness,
  { heartbeatMs, cutter, populate = async () => () => undefined }: ServeOptions = {},
) {
  const { context } = harness;
  const ledgerId = await testLedger(harness);
  const { id: webClientId } = await makeWebClient(harness, await makeTenant(harness));
  const webClient = { ledgerId, webClientId };
  const server = createServer();
  const ticker = createTicker({ onError: (error) => assert.fail(String(error)) });
  const authorizer = createAudioAuthorizer(context);
  const audios = createCallAudios({ ticker, populate, onError: () => undefined });
  /** Legs that the carrier reports as up. */
  const legsUp = new Set<string>();
  const port = { listLegsUp: async (_: unknown, ids: string[]) => new Set(ids.filter((id) => legsUp.has(id))) };
  const webClientAudio = attachWebClientAudio(server, context, {
    nodeId: 'node_1',
    nodes: { find: async () => undefined },
    authorizer,
    audios,
    exchange: port as unknown as WebClientExchange,
    handsets: NO_HANDSETS,
    speeches: createAgentSpeeches(context, { nodeId: 'node_1', synthesizer: { synthesize: async () => silence(20) } }),
    cutterOf: async () => cutter,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let legs = 0;
  const callOf = (legId: string) => `call_${legId}`;
  const newLeg = (): string => {
    const legId = `leg_${webClientId}_${++legs}`;
    legsUp.add(legId);
    return legId;
  };
  const mintToken = (legId: string): string => authorizer.mintToken(webClient, { callId: callOf(legId), legId });
  const connect = async (token: string) => {
    const { port: tcpPort } = server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${tcpPort}/v1/softphone/audio?token=${token}`);
    const messages: ReceivedMessage[] = [];
    socket.on('message', (text) => messages.push(JSON.parse(String(text))));
    const closed = once(socket, 'close').then(([code]) => code as number);
    await once(socket, 'open');
    /** Returns the first code of each frame. */
    const codes = () =>
      messages.flatMap(({ payload }) => (payload === undefined ? [] : [Buffer.from(payload, 'base64')[0]]));
    return { socket, messages, closed, codes };
  };

  return {
    webClient,
    setAudio: createSetAudio(context),
    audios,
    webClientAudio,
    legsUp,
    newLeg,
    callOf,
    mintToken,
    connect,
    /** Connects the audio of a leg, by default a new one, and waits for its first frame. */
    connectLeg: async (legId = newLeg()) => {
      const client = await connect(mintToken(legId));
      await until('the web client receives audio', () => client.messages.length > 0);
      return { legId, ...client };
    },
    untilReleased: (legId: string) => until('the audio is released', () => audios.find(callOf(legId)) === undefined),
    /** Adds a customer to the call's audio. The customer plays one code; its audio is recorded. */
    makeCustomer: async (legId: string): Promise<{ lease: CallAudioLease; heard: number[] }> => {
      const lease = await audios.acquire({ ledgerId, callId: callOf(legId) });
      const heard: number[] = [];
      lease.audio.addSource({ into: ['inbound'], read: () => frame(0x12) });
      lease.audio.addSink({ write: ({ outbound }) => heard.push(outbound[0] as number) });
      return { lease, heard };
    },
    close: () => {
      ticker.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ServedWebClientAudio = Awaited<ReturnType<typeof serveWebClientAudio>>;

const NO_HANDSETS: Handsets = {
  isToken: () => false,
  claim: async () => undefined,
  lineOf: () => assert.fail('no handset connects'),
};

const frame = (code: number) => new Uint8Array(160).fill(code);

/** Returns a client's message with 20 ms of one code. */
export const playing = (code: number) =>
  JSON.stringify({ event: 'media', payload: Buffer.from(frame(code)).toString('base64') });
