/** The adapter over a real engine, with telephones and a gateway whose state the tests read. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeMulaw } from '../../../src/audio/mulaw.ts';
import { samplesOf } from '../../../src/audio/pcm.ts';
import { sine } from '../../../src/audio/tones.ts';
import type { VoiceEvent, VoiceInstruction, VoicePort } from '../../../src/carriers/ports/voice.ts';
import { SIP_KIND } from '../../../src/carriers/sip/index.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import type { Ledger } from '../../../src/lib/scope.ts';
import { ModelError } from '../../../src/speech/port.ts';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { useHarness } from '../../support/harness.ts';
import { silentLog, sql, until } from '../../support/jobs.ts';
import { addConnection } from '../../support/live-network.ts';
import { startEngine } from '../engine.ts';
import { type People, startPeople } from '../people.ts';
import { isHeard, type RtpPhone, wasHeard } from '../rtp-phone.ts';

/** A socket of the gateway. */
type Socket = {
  readonly query: URLSearchParams;
  readonly webSocket: WebSocket;
  readonly audio: Buffer[];
  isClosed: boolean;
  hears(frequencyHz: number): boolean;
  hasHeard(frequencyHz: number): boolean;
};

/** The only hold audio of a number: a tone of 650 Hz. */
export const HOLD_AUDIO = 'hold_1';

/** Opens everything, and closes it after the tests of the file. */
export async function openDesk() {
  const harness = await useHarness({ adapterKinds: [SIP_KIND], startWorkers: false });
  const { db } = harness.context;
  const [row] = await sql<{ id: number; account_id: string }>(
    db,
    "select id, account_id from ledgers where mode = 'live' limit 1",
  );
  assert.ok(row);
  const ledger = { ledgerId: row.id, accountId: row.account_id, mode: 'live' as const };
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url?.replace(`/carrier/sip/${id}`, '') ?? '';
    const sound = await connected.ingress?.readSound?.(path);
    requests.push(path);
    const caching = `private, max-age=${connected.ingress?.soundMaxAgeS}`;
    const headers = { 'content-type': 'audio/wav', 'cache-control': caching };
    response.writeHead(sound === undefined ? 404 : 200, headers).end(sound);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTests(() => server.close());
  const gateway = openGateway(server);
  const people = await startPeople();
  closeAfterTests(people.close);
  const engine = await startEngine({
    dialplaneUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: {
      trunks: JSON.stringify([{ name: 'main', host: '127.0.0.1', port: people.port }]),
      rtp_ports: '23000-23999',
    },
  });
  closeAfterTests(engine.close);
  const connection = { name: 'desk', ...engine.connection };
  const id = await addConnection(harness.context, { kind: 'sip', ...connection, capabilities: [] });
  const events: VoiceEvent[] = [];
  const parts = {
    ...{
      db,
      log: silentLog,
      metrics: createMetrics(),
      synthesizer: { synthesize: async (text: string) => speakTone(text) },
    },
    sink: async (_: unknown, reported: readonly VoiceEvent[]) => void events.push(...reported),
    readHoldAudio: async (audioRef: string) =>
      audioRef === HOLD_AUDIO ? encodeMulaw(speakTone('650 Hz for 7000 ms')) : undefined,
  };
  let connected = SIP_KIND.make(parts as never).connect({ id, ...connection });
  const start = async () => {
    await connected.start?.();
    const ready = 'select 1 from sip_engines where ready_at is not null';
    await until('the engine is heard', async () => (await sql(db, ready)).length > 0);
  };
  await start();
  closeAfterTests(() => connected.close?.());
  const voice = () => connected.carrier.voice as VoicePort;
  return {
    ...{ db, ledger, voice, events, gateway, engine, requests, connection: id },
    /** Runs `act` while no process receives the engine's events. Commands still reach the engine. */
    deaf: async (act: () => Promise<void>) => {
      await connected.close?.();
      await sql(db, 'update sip_engines set ready_at = null');
      connected = SIP_KIND.make(parts as never).connect({ id, ...connection });
      await act();
      await start();
    },
    call: () => openCall({ voice, ledger, events, people }),
  };
}

/** Returns the tone for a text such as "700 Hz for 1000 ms". */
function speakTone(text: string) {
  const [, frequencyHz, ms] = /^(\d+) Hz for (\d+) ms$/.exec(text) ?? [];
  // The model has no audio for any other text.
  if (frequencyHz === undefined) throw new ModelError('unavailable', text);
  return sine({ frequencyHz: Number(frequencyHz), samples: samplesOf(Number(ms)) });
}

type CallParts = {
  readonly voice: () => VoicePort;
  readonly ledger: Ledger;
  readonly events: readonly VoiceEvent[];
  readonly people: People;
};
let lastNumber = 3_035_550_100;

/** A call with dialled legs. */
function openCall({ voice, ledger, events, people }: CallParts) {
  const callRef = newId('call');
  let commands = 0;
  const dispatch = (instruction: VoiceInstruction, commandRef = `${callRef}:${++commands}`) =>
    voice().dispatch(ledger, { callRef, commandRef, instruction });
  const order = async (instruction: VoiceInstruction) =>
    assert.deepEqual(await dispatch(instruction), { outcome: 'accepted' }, instruction.do);
  const waitFor = async <Type extends VoiceEvent['type']>(type: Type, about: Record<string, unknown> = {}) => {
    const isIt = (event: VoiceEvent) =>
      event.type === type &&
      Object.entries({ callRef, ...about }).every(([key, value]) => Reflect.get(event, key) === value);
    await until(`${type} ${JSON.stringify(about)}`, () => events.some(isIt), 15_000);
    return events.find(isIt) as Extract<VoiceEvent, { type: Type }>;
  };
  return {
    ...{ callRef, dispatch, order, waitFor },
    /** Dials a telephone that speaks in a tone. Resolves after its answer. */
    dial: async (party: 'agent' | 'customer', frequencyHz: number): Promise<{ legRef: string; phone: RtpPhone }> => {
      const legRef = newId('call_leg');
      const to = `+1${++lastNumber}`;
      people.set(to, { frequencyHz, answersAfterMs: 0 });
      const from = '+13035550199';
      await order({ do: 'dial', legRef, party, to, from, shownAs: from, ringMs: 9_000 });
      await waitFor('leg.answered', { legRef });
      return { legRef, phone: people.phoneOf(to) };
    },
  };
}

/** A gateway that accepts every socket. */
function openGateway(server: Server) {
  const sockets: Socket[] = [];
  const media = new WebSocketServer({ server });
  media.on('connection', (webSocket, request) => {
    const audio: Buffer[] = [];
    const query = new URL(request.url ?? '', 'ws://localhost').searchParams;
    const socket: Socket = {
      ...{ query, webSocket, audio, isClosed: false },
      hears: (hz) => isHeard(hz, audio),
      hasHeard: (hz) => wasHeard(hz, audio),
    };
    sockets.push(socket);
    webSocket.on('message', (message: Buffer, isBinary: boolean) => isBinary && audio.push(message));
    webSocket.on('close', () => {
      socket.isClosed = true;
    });
  });
  closeAfterTests(() => {
    for (const { webSocket } of sockets) webSocket.terminate();
  });
  return {
    /** Resolves with the socket of a track of a leg. */
    socket: async (legRef: string, track: string): Promise<Socket> => {
      const find = () => sockets.find(({ query }) => query.get('leg') === legRef && query.get('track') === track);
      await until(`the ${track} socket is open`, () => find() !== undefined);
      return find() as Socket;
    },
  };
}
