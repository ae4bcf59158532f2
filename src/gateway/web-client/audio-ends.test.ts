import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { playing, type ServedWebClientAudio, serveWebClientAudio } from '../../../test/support/web-client-audio.ts';
import { wakeWebClient } from '../../domain/voice/index.ts';
import type { Populate } from '../media/types.ts';

const HOUR_MS = 3_600_000;
const STOP = { event: 'stop', reason: 'call_ended' };

let harness: Harness;
/** One that hears of changes by signals alone, and one that soon looks by itself. */
let served: ServedWebClientAudio;
let watchful: ServedWebClientAudio;
/** What the making of a call's audio waits for. */
let populating: Promise<void> = Promise.resolve();
const populate: Populate = async () => {
  await populating;
  return () => undefined;
};
before(async () => {
  harness = await startHarness({ startWorkers: false });
  served = await serveWebClientAudio(harness, { heartbeatMs: HOUR_MS, populate });
  watchful = await serveWebClientAudio(harness, { heartbeatMs: 20, populate });
});
after(async () => {
  served.close();
  watchful.close();
  await harness.close();
});

async function hearing(gateway: ServedWebClientAudio) {
  const legId = gateway.newLeg();
  const line = await gateway.connect(gateway.invite(legId));
  await until('the web client hears', () => line.heard.length > 0);
  return { legId, ...line };
}

const untilLetGo = (gateway: ServedWebClientAudio, legId: string) =>
  until('nobody holds the audio', () => gateway.audios.find(gateway.callOf(legId)) === undefined);

test('the audio of a web client ends with its leg: stop, then 1000, at the signal', async () => {
  const { legId, closed, heard } = await hearing(served);
  served.legsUp.delete(legId);
  wakeWebClient(harness.context.db, served.webClient);
  assert.equal(await closed, 1000);
  assert.deepEqual(heard.at(-1), STOP);
  await untilLetGo(served, legId);
});

test('a signal about a web client whose leg is up changes nothing', async () => {
  const { legId, socket, heard } = await hearing(served);
  wakeWebClient(harness.context.db, served.webClient);
  const before = heard.length;
  await until('it still hears', () => heard.length > before + 20);
  assert.equal(socket.readyState, socket.OPEN);
  socket.close();
  await untilLetGo(served, legId);
});

test('the audio of a web client ends with its leg also where the signal is lost', async () => {
  const { legId, closed, heard } = await hearing(watchful);
  watchful.legsUp.delete(legId);
  assert.equal(await closed, 1000);
  assert.deepEqual(heard.at(-1), STOP);
});

test('a leg that ends while its audio begins leaves no audio behind', async () => {
  const gate = Promise.withResolvers<void>();
  populating = gate.promise;
  const legId = served.newLeg();
  const line = await served.connect(served.invite(legId));
  await until('the audio begins', () => served.audios.find(served.callOf(legId)) !== undefined);
  served.legsUp.delete(legId);
  gate.resolve();
  assert.equal(await line.closed, 1000);
  assert.deepEqual(line.heard.at(-1), STOP);
  await untilLetGo(served, legId);
});

test('a client that goes while its audio begins leaves no audio behind', async () => {
  const gate = Promise.withResolvers<void>();
  populating = gate.promise;
  const legId = served.newLeg();
  const line = await served.connect(served.invite(legId));
  await until('the audio begins', () => served.audios.find(served.callOf(legId)) !== undefined);
  line.socket.close();
  await line.closed;
  gate.resolve();
  await untilLetGo(served, legId);
  assert.equal(served.webClientAudio.size, 0);
});

test('a client that sends far more than real time is read no faster than it may send', async () => {
  const { legId, socket, closed } = await hearing(served);
  const begun = performance.now();
  for (let n = 0; n < 900; n++) socket.send(playing(0x34));
  socket.send('what closes the socket');
  assert.equal(await closed, 1008);
  assert.ok(performance.now() - begun > 1_000, 'everything was read at once');
  await untilLetGo(served, legId);
});

test('a web client that is revoked loses its audio, by the signal or without, and a token of before opens none', async () => {
  const legId = served.newLeg();
  const token = served.invite(legId);
  const [told, untold] = [await hearing(served), await hearing(watchful)];
  await harness.call('DELETE', `/v1/web_clients/${served.webClient.webClientId}`);
  assert.equal(await told.closed, 4403);
  await sql(harness.context.db, `update web_clients set status = 'revoked' where id = $1`, [
    watchful.webClient.webClientId,
  ]);
  assert.equal(await untold.closed, 4403);
  assert.equal(await (await served.connect(token)).closed, 4401);
  await untilLetGo(served, told.legId);
});

test('a gateway that drains takes no web client, and waits for those it has as long as it may', async () => {
  const gateway = await serveWebClientAudio(harness);
  const [one, two] = [await hearing(gateway), await hearing(gateway)];
  assert.equal(gateway.webClientAudio.size, 2);
  let isDrained = false;
  const drained = gateway.webClientAudio.drain(HOUR_MS).then(() => {
    isDrained = true;
  });
  const late = gateway.newLeg();
  assert.equal(await (await gateway.connect(gateway.invite(late))).closed, 1012);
  const heard = two.heard.length;
  one.socket.close();
  await one.closed;
  await until('the other still hears', () => two.heard.length > heard + 20);
  assert.equal(isDrained, false);
  await gateway.webClientAudio.drain(0);
  await drained;
  assert.equal(await two.closed, 1012);
  gateway.close();
});
