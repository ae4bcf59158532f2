import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { type Harness, startHarness } from '../../test/support/harness.ts';
import { until } from '../../test/support/jobs.ts';
import { createCallAudios } from '../media/call-audios.ts';
import { SILENT_FRAME } from '../media/mixing.ts';
import { createTicker } from '../media/ticker.ts';
import type { CallAudioLease, CallAudios } from '../media/types.ts';
import { type AudioDoor, createAudioDoor } from './audio-door.ts';
import { attachSeatAudio } from './seat-audio.ts';
import type { SeatLeg, SeatLines } from './seat-lines.ts';

let nowMs = Date.now();
let harness: Harness;
let door: AudioDoor;
let audios: CallAudios;
const server = createServer();
const ticker = createTicker({ onError: (error) => assert.fail(String(error)) });
/** Legs that the carrier's books say are up. */
const legsUp = new Set<string>();

const toLeg = (legId: string): SeatLeg => {
  return { callId: `call_${legId}`, legId, wasRung: true, state: 'up', other: 'up', endReason: null };
};
const lines = { list: async () => [...legsUp].map(toLeg) } as unknown as SeatLines;

before(async () => {
  harness = await startHarness({ startWorkers: false, clock: { now: () => nowMs } });
  door = createAudioDoor(harness.context);
  audios = createCallAudios({ ticker, populate: async () => () => undefined, onError: () => undefined });
  attachSeatAudio(server, harness.context, { door, audios, linesOf: () => lines });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(async () => {
  ticker.stop();
  server.closeAllConnections();
  server.close();
  await harness.close();
});

const frame = (code: number) => new Uint8Array(160).fill(code);
const playing = (code: number) =>
  JSON.stringify({ event: 'media', payload: Buffer.from(frame(code)).toString('base64') });

function invite(legId: string): string {
  const ledgerId = 1;
  return door.invite({ ledgerId, webClientId: 'wcl_1' }, toLeg(legId)).token;
}

async function connect(token: string) {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/softphone/audio?token=${token}`);
  const heard: { event: string; track?: string; seq?: number; payload?: string; reason?: string }[] = [];
  socket.on('message', (text) => heard.push(JSON.parse(String(text))));
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const codes = () =>
    heard.flatMap(({ payload }) => (payload === undefined ? [] : [Buffer.from(payload, 'base64')[0]]));
  return { socket, heard, closed, codes };
}

/** The call's audio with a customer in it who says one code, and what that customer hears. */
async function makeCustomer(legId: string): Promise<{ lease: CallAudioLease; heard: number[] }> {
  const lease = await audios.acquire({ ledgerId: 1, callId: `call_${legId}` });
  const heard: number[] = [];
  lease.audio.addSource({ into: ['inbound'], read: () => frame(0x12) });
  lease.audio.addSink({ write: ({ outbound }) => heard.push(outbound[0] as number) });
  return { lease, heard };
}

let legs = 0;
function newLeg(): string {
  const legId = `leg_${++legs}`;
  legsUp.add(legId);
  return legId;
}

test('a seat hears the customer and is heard by the customer, byte for byte, and not by itself', async () => {
  const legId = newLeg();
  const { lease, heard } = await makeCustomer(legId);
  const seat = await connect(invite(legId));
  await until('the seat hears', () => seat.codes().includes(0x12));
  const talk = setInterval(() => seat.socket.send(playing(0x34)), 20);
  await until('the customer hears', () => heard.includes(0x34));
  clearInterval(talk);
  assert.ok(!seat.codes().includes(0x34));
  const [first, second] = seat.heard;
  assert.deepEqual([first?.event, first?.track, (second?.seq ?? 0) - (first?.seq ?? 0)], ['media', 'inbound', 1]);
  seat.socket.close();
  lease.release();
});

test('muted, a seat is not heard; on hold it does not hear either', async () => {
  const legId = newLeg();
  const { lease, heard } = await makeCustomer(legId);
  const seat = await connect(invite(legId));
  const talk = setInterval(() => seat.socket.send(playing(0x34)), 20);
  await until('the customer hears', () => heard.includes(0x34));
  door.set(legId, { mute: true });
  await until('the customer hears nothing', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const before = seat.heard.length;
  await until('the seat still hears', () => seat.heard.length > before + 5);
  door.set(legId, { mute: false });
  await until('the customer hears again', () => heard.at(-1) === 0x34);
  door.set(legId, { hold: true });
  await until('nobody is heard', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const held = seat.heard.length;
  await until('time has passed', () => heard.length % 10 === 0 && heard.length > 0);
  assert.ok(seat.heard.length <= held + 2, `${seat.heard.length - held} frames while on hold`);
  clearInterval(talk);
  seat.socket.close();
  lease.release();
});

test('a token opens the audio of its own leg, while that is up and for one minute', async () => {
  const legId = newLeg();
  const token = invite(legId);
  for (const wrong of ['', 'x', `${token.slice(0, -2)}AA`]) assert.equal(await (await connect(wrong)).closed, 4401);
  legsUp.delete(legId);
  assert.equal(await (await connect(token)).closed, 4401);
  legsUp.add(legId);
  nowMs += 60_000;
  assert.equal(await (await connect(token)).closed, 4401);
});

test('the audio of a leg is at one socket: a newer one takes its place', async () => {
  const legId = newLeg();
  const first = await connect(invite(legId));
  await until('the first hears', () => first.heard.length > 0);
  const second = await connect(invite(legId));
  assert.equal(await first.closed, 4409);
  await until('the second hears', () => second.heard.length > 0);
  second.socket.close();
});

test('when the call is over the seat is told, and the socket closes', async () => {
  const legId = newLeg();
  const seat = await connect(invite(legId));
  await until('the seat hears', () => seat.heard.length > 0);
  audios.end(`call_${legId}`, 'call_ended');
  assert.equal(await seat.closed, 1000);
  assert.deepEqual(seat.heard.at(-1), { event: 'stop', reason: 'call_ended' });
});

test('a seat that leaves lets go of the audio', async () => {
  const legId = newLeg();
  const seat = await connect(invite(legId));
  await until('the seat hears', () => seat.heard.length > 0);
  seat.socket.close();
  await until('nobody holds the audio', () => audios.find(`call_${legId}`) === undefined);
});

test('what is no message closes the socket', async () => {
  const legId = newLeg();
  for (const text of ['x', '{"event":"media","payload":"?"}', '{"event":"media"}']) {
    const seat = await connect(invite(legId));
    await until('the seat hears', () => seat.heard.length > 0);
    seat.socket.send(text);
    assert.equal(await seat.closed, 1008, text);
  }
});
