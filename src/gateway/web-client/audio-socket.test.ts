import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { playing, type ServedWebClientAudio, serveWebClientAudio } from '../../../test/support/web-client-audio.ts';
import { wakeWebClient } from '../../domain/voice/index.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { Populate } from '../media/types.ts';

const HOUR_MS = 3_600_000;
const STOP = { event: 'stop', reason: 'call_ended' };

let harness: Harness;
/** A gateway without heartbeats, which receives changes only by signals. */
let signalled: ServedWebClientAudio;
/** A gateway with frequent heartbeats. */
let polling: ServedWebClientAudio;
/** The call's audio is created after this. */
let populating: Promise<void> = Promise.resolve();
const populate: Populate = async () => {
  await populating;
  return () => undefined;
};
before(async () => {
  harness = await startHarness({ startWorkers: false });
  signalled = await serveWebClientAudio(harness, { heartbeatMs: HOUR_MS, populate });
  polling = await serveWebClientAudio(harness, { heartbeatMs: 250, populate });
});
after(async () => {
  signalled.close();
  polling.close();
  await harness.close();
});

/** Connects the audio of a leg that is not ready until `open` is called. */
async function connectSlowly() {
  const gate = Promise.withResolvers<void>();
  populating = gate.promise;
  const legId = signalled.newLeg();
  const client = await signalled.connect(signalled.mintToken(legId));
  await until('the audio is being created', () => signalled.audios.find(signalled.callOf(legId)) !== undefined);
  return { legId, ...client, open: gate.resolve };
}

test('the audio of a web client ends with its leg at the signal: stop, then 1000', async () => {
  const { legId, closed, messages } = await signalled.connectLeg();
  signalled.legsUp.delete(legId);
  wakeWebClient(harness.context.db, signalled.webClient);
  assert.equal(await closed, 1000);
  assert.deepEqual(messages.at(-1), STOP);
  await signalled.untilReleased(legId);
});

test('a signal about a web client whose leg is up changes nothing', async () => {
  const { legId, socket, messages } = await signalled.connectLeg();
  wakeWebClient(harness.context.db, signalled.webClient);
  const before = messages.length;
  await until('it still receives audio', () => messages.length > before + 20);
  assert.equal(socket.readyState, socket.OPEN);
  socket.close();
  await signalled.untilReleased(legId);
});

test('the audio of a web client ends with its leg even if the signal is lost', async () => {
  const { legId, closed, messages } = await polling.connectLeg();
  polling.legsUp.delete(legId);
  assert.equal(await closed, 1000);
  assert.deepEqual(messages.at(-1), STOP);
});

test('a leg that ends while its audio is being created leaves no audio behind', async () => {
  const { legId, closed, messages, open } = await connectSlowly();
  signalled.legsUp.delete(legId);
  open();
  assert.equal(await closed, 1000);
  assert.deepEqual(messages.at(-1), STOP);
  await signalled.untilReleased(legId);
});

test('a client that disconnects while its audio is being created leaves no audio behind', async () => {
  const { legId, socket, closed, open } = await connectSlowly();
  socket.close();
  await closed;
  open();
  await signalled.untilReleased(legId);
  assert.equal(signalled.webClientAudio.size, 0);
});

test('a client that sends far faster than real time is read no faster than its limit', async () => {
  const { legId, socket, messages } = await signalled.connectLeg();
  const startedMs = monotonicMs();
  for (let n = 0; n < 900; n++) socket.send(playing(0x34));
  socket.send('malformed: is answered once it is read');
  await until('everything was read', () => messages.some(({ event }) => event === 'error'));
  assert.ok(monotonicMs() - startedMs > 1_000, 'everything was read at once');
  socket.close();
  await signalled.untilReleased(legId);
});

test('a mark comes back at once; of a flood as many as of malformed messages', async () => {
  const { legId, socket, messages } = await signalled.connectLeg();
  for (let n = 1; n <= 300; n++) socket.send(JSON.stringify({ event: 'mark', name: `m${n}` }));
  const marks = () => messages.flatMap((each) => (each.event === 'mark' ? [each.name] : []));
  await until('marks come back', () => marks().length >= 10);
  const received = messages.length;
  await until('audio goes on', () => messages.length > received + 20);
  assert.deepEqual(marks().slice(0, 10), ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10']);
  assert.ok(marks().length < 100, `${marks().length} marks`);
  socket.close();
  await signalled.untilReleased(legId);
});

test('a revoked web client loses its audio, with or without the signal, and its earlier tokens are invalid', async () => {
  const token = signalled.mintToken(signalled.newLeg());
  const [withSignal, without] = [await signalled.connectLeg(), await polling.connectLeg()];
  await harness.call('DELETE', `/v1/web_clients/${signalled.webClient.webClientId}`);
  assert.equal(await withSignal.closed, 4403);
  await sql(harness.context.db, `update web_clients set status = 'revoked' where id = $1`, [
    polling.webClient.webClientId,
  ]);
  assert.equal(await without.closed, 4403);
  assert.equal(await (await signalled.connect(token)).closed, 4401);
  await signalled.untilReleased(withSignal.legId);
});

test('a draining gateway refuses new web clients, and waits for the open ones until its drain time ends', async () => {
  const gateway = await serveWebClientAudio(harness);
  const [one, two] = [await gateway.connectLeg(), await gateway.connectLeg()];
  assert.equal(gateway.webClientAudio.size, 2);
  let isDrained = false;
  const drained = gateway.webClientAudio.drain(HOUR_MS).then(() => {
    isDrained = true;
  });
  assert.equal(await (await gateway.connect(gateway.mintToken(gateway.newLeg()))).closed, 1012);
  const received = two.messages.length;
  one.socket.close();
  await one.closed;
  await until('the other still receives audio', () => two.messages.length > received + 20);
  assert.equal(isDrained, false);
  await gateway.webClientAudio.drain(0);
  await drained;
  assert.equal(await two.closed, 1012);
  gateway.close();
});
