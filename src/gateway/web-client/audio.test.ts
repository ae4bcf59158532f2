import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { playing, type ServedWebClientAudio, serveWebClientAudio } from '../../../test/support/web-client-audio.ts';
import { SILENT_FRAME } from '../../audio/mixing.ts';

let nowMs = Date.now();
let harness: Harness;
let served: ServedWebClientAudio;
before(async () => {
  harness = await startHarness({ startWorkers: false, clock: { now: () => nowMs } });
  served = await serveWebClientAudio(harness);
});
after(async () => {
  served.close();
  await harness.close();
});

test('a web client hears the customer and is heard by the customer, byte for byte, and not by itself', async () => {
  const legId = served.newLeg();
  const { lease, heard } = await served.makeCustomer(legId);
  const webClient = await served.connect(served.invite(legId));
  await until('the web client hears', () => webClient.codes().includes(0x12));
  const talk = setInterval(() => webClient.socket.send(playing(0x34)), 20);
  await until('the customer hears', () => heard.includes(0x34));
  clearInterval(talk);
  assert.ok(!webClient.codes().includes(0x34));
  const [first, second] = webClient.heard;
  assert.deepEqual([first?.event, first?.track, (second?.seq ?? 0) - (first?.seq ?? 0)], ['media', 'inbound', 1]);
  webClient.socket.close();
  lease.release();
});

test('muted, a web client is not heard; on hold it does not hear either', async () => {
  const legId = served.newLeg();
  const { lease, heard } = await served.makeCustomer(legId);
  const webClient = await served.connect(served.invite(legId));
  const talk = setInterval(() => webClient.socket.send(playing(0x34)), 20);
  await until('the customer hears', () => heard.includes(0x34));
  served.door.set(legId, { mute: true });
  await until('the customer hears nothing', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const before = webClient.heard.length;
  await until('the web client still hears', () => webClient.heard.length > before + 5);
  served.door.set(legId, { mute: false });
  await until('the customer hears again', () => heard.at(-1) === 0x34);
  served.door.set(legId, { hold: true });
  await until('nobody is heard', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const held = webClient.heard.length;
  await until('time has passed', () => heard.length % 10 === 0 && heard.length > 0);
  assert.ok(webClient.heard.length <= held + 2, `${webClient.heard.length - held} frames while on hold`);
  clearInterval(talk);
  webClient.socket.close();
  lease.release();
});

test('a token opens the audio of its own leg, while that is up and for one minute', async () => {
  const legId = served.newLeg();
  const token = served.invite(legId);
  for (const wrong of ['', 'x', `${token.slice(0, -2)}AA`])
    assert.equal(await (await served.connect(wrong)).closed, 4401);
  served.legsUp.delete(legId);
  assert.equal(await (await served.connect(token)).closed, 4401);
  served.legsUp.add(legId);
  nowMs += 60_000;
  assert.equal(await (await served.connect(token)).closed, 4401);
});

test('the audio of a leg is at one socket: a newer one takes its place', async () => {
  const legId = served.newLeg();
  const first = await served.connect(served.invite(legId));
  await until('the first hears', () => first.heard.length > 0);
  const second = await served.connect(served.invite(legId));
  assert.equal(await first.closed, 4409);
  await until('the second hears', () => second.heard.length > 0);
  second.socket.close();
});

test('when the call is over the web client is told, and the socket closes', async () => {
  const legId = served.newLeg();
  const webClient = await served.connect(served.invite(legId));
  await until('the web client hears', () => webClient.heard.length > 0);
  served.audios.find(served.callOf(legId))?.close('call_ended');
  assert.equal(await webClient.closed, 1000);
  assert.deepEqual(webClient.heard.at(-1), { event: 'stop', reason: 'call_ended' });
});

test('a web client that leaves lets go of the audio', async () => {
  const legId = served.newLeg();
  const webClient = await served.connect(served.invite(legId));
  await until('the web client hears', () => webClient.heard.length > 0);
  webClient.socket.close();
  await until('nobody holds the audio', () => served.audios.find(served.callOf(legId)) === undefined);
});

test('what is no message closes the socket', async () => {
  const legId = served.newLeg();
  for (const text of ['x', '{"event":"media","payload":"?"}', '{"event":"media"}']) {
    const webClient = await served.connect(served.invite(legId));
    await until('the web client hears', () => webClient.heard.length > 0);
    webClient.socket.send(text);
    assert.equal(await webClient.closed, 1008, text);
  }
});
