/** A gateway's door for the audio of one web client, on a server of its own; which legs are up is said by the test. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { WebClientPort } from '../../src/carriers/ports/web-client.ts';
import { listLedgers } from '../../src/domain/accounts/index.ts';
import { createCallAudios } from '../../src/gateway/media/call-audios.ts';
import { createTicker } from '../../src/gateway/media/ticker.ts';
import type { CallAudioLease, Populate } from '../../src/gateway/media/types.ts';
import { attachWebClientAudio } from '../../src/gateway/web-client/audio.ts';
import { createAudioDoor } from '../../src/gateway/web-client/audio-authorizer.ts';
import type { Harness } from './harness.ts';
import { makeTenant } from './numbers.ts';
import { makeWebClient } from './web-clients.ts';

export type Heard = { event: string; track?: string; seq?: number; payload?: string; reason?: string };

/** @param populate what a call's audio waits for */
export async function serveWebClientAudio(
  harness: Harness,
  { heartbeatMs, populate = async () => () => undefined }: { heartbeatMs?: number; populate?: Populate } = {},
) {
  const { context, account } = harness;
  const ledgers = await listLedgers(context.db, account.id);
  const ledgerId = ledgers.find(({ mode }) => mode === 'test')?.id as number;
  const { id: webClientId } = await makeWebClient(harness, await makeTenant(harness));
  const webClient = { ledgerId, webClientId };
  const server = createServer();
  const ticker = createTicker({ onError: (error) => assert.fail(String(error)) });
  const door = createAudioDoor(context);
  const audios = createCallAudios({ ticker, populate, onError: () => undefined });
  /** Legs that the carrier's books say are up. */
  const legsUp = new Set<string>();
  const port = { listLegsUp: async (_: unknown, ids: string[]) => new Set(ids.filter((id) => legsUp.has(id))) };
  const webClientAudio = attachWebClientAudio(server, context, {
    nodeId: 'node_1',
    nodes: { find: async () => undefined },
    door,
    audios,
    webClientPortOf: () => port as unknown as WebClientPort,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let legs = 0;
  const callOf = (legId: string) => `call_${legId}`;

  return {
    webClient,
    door,
    audios,
    webClientAudio,
    legsUp,
    newLeg: (): string => {
      const legId = `leg_${webClientId}_${++legs}`;
      legsUp.add(legId);
      return legId;
    },
    callOf,
    invite: (legId: string): string => door.mint(webClient, { callId: callOf(legId), legId }),
    connect: async (token: string) => {
      const { port } = server.address() as AddressInfo;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/softphone/audio?token=${token}`);
      const heard: Heard[] = [];
      socket.on('message', (text) => heard.push(JSON.parse(String(text))));
      const closed = once(socket, 'close').then(([code]) => code as number);
      await once(socket, 'open');
      const codes = () =>
        heard.flatMap(({ payload }) => (payload === undefined ? [] : [Buffer.from(payload, 'base64')[0]]));
      return { socket, heard, closed, codes };
    },
    /** The call's audio with a customer in it who says one code, and what that customer hears. */
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

const frame = (code: number) => new Uint8Array(160).fill(code);

/** A message with 20 ms of one code. */
export const playing = (code: number) =>
  JSON.stringify({ event: 'media', payload: Buffer.from(frame(code)).toString('base64') });
