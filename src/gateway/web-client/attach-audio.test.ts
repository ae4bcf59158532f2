import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { playing, type ServedWebClientAudio, serveWebClientAudio } from '../../../test/support/web-client-audio.ts';
import { forged } from '../../../test/support/web-clients.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { every, now } from '../../lib/time/time.ts';

let nowMs = now();
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

test('a web client and the customer hear each other byte for byte; the web client does not hear itself', async () => {
  const legId = served.newLeg();
  const { lease, heard } = await served.makeCustomer(legId);
  const webClient = await served.connect(served.mintToken(legId));
  await until('the web client hears', () => webClient.codes().includes(0x12));
  const talk = every(20, () => webClient.socket.send(playing(0x34)));
  await until('the customer hears', () => heard.includes(0x34));
  talk.cancel();
  assert.ok(!webClient.codes().includes(0x34));
  const [first, second] = webClient.messages;
  assert.deepEqual([first?.event, first?.track, (second?.seq ?? 0) - (first?.seq ?? 0)], ['media', 'inbound', 1]);
  webClient.socket.close();
  lease.release();
});

test('a muted web client is not heard; on hold it does not hear either', async () => {
  const legId = served.newLeg();
  const { lease, heard } = await served.makeCustomer(legId);
  const webClient = await served.connect(served.mintToken(legId));
  const talk = every(20, () => webClient.socket.send(playing(0x34)));
  await until('the customer hears', () => heard.includes(0x34));
  served.setAudio(legId, { mute: true });
  await until('the customer hears nothing', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const before = webClient.messages.length;
  await until('the web client still hears', () => webClient.messages.length > before + 5);
  served.setAudio(legId, { mute: false });
  await until('the customer hears again', () => heard.at(-1) === 0x34);
  served.setAudio(legId, { hold: true });
  await until('the customer hears nothing again', () => heard.slice(-10).every((code) => code === SILENT_FRAME[0]));
  const held = webClient.messages.length;
  await until('time has passed', () => heard.length % 10 === 0 && heard.length > 0);
  assert.ok(webClient.messages.length <= held + 2, `${webClient.messages.length - held} frames while on hold`);
  talk.cancel();
  webClient.socket.close();
  lease.release();
});

test('a token is valid for the audio of its own leg, while the leg is up, for one minute', async () => {
  const legId = served.newLeg();
  const token = served.mintToken(legId);
  for (const wrong of ['', 'x', forged(token)]) assert.equal(await (await served.connect(wrong)).closed, 4401);
  served.legsUp.delete(legId);
  assert.equal(await (await served.connect(token)).closed, 4401);
  served.legsUp.add(legId);
  nowMs += 60_000;
  assert.equal(await (await served.connect(token)).closed, 4401);
});

test('a leg has one audio socket: a newer one replaces the older', async () => {
  const first = await served.connectLeg();
  const second = await served.connectLeg(first.legId);
  assert.equal(await first.closed, 4409);
  second.socket.close();
});

test('when the call is over the web client receives stop, and the socket closes', async () => {
  const { legId, closed, messages } = await served.connectLeg();
  served.audios.find(served.callOf(legId))?.close('call_ended');
  assert.equal(await closed, 1000);
  assert.deepEqual(messages.at(-1), { event: 'stop', reason: 'call_ended' });
});

test('a web client that disconnects releases the audio', async () => {
  const { legId, socket } = await served.connectLeg();
  socket.close();
  await served.untilReleased(legId);
});

test('a malformed message is answered with its problem, and the audio continues', async () => {
  const { legId, socket, messages, codes } = await served.connectLeg();
  const { lease, heard } = await served.makeCustomer(legId);
  const errors = () => messages.flatMap(({ event, message }) => (event === 'error' ? [message] : []));
  socket.send('x');
  socket.send('{"event":"media","payload":"?"}');
  socket.send('{"event":"media"}');
  socket.send(Buffer.from([1, 2, 3]));
  await until('all are answered', () => errors().length === 4);
  const wrong = ['not a JSON object', 'payload is not base64', 'payload is not a text', 'messages are JSON text'];
  assert.deepEqual(errors(), wrong);
  const before = codes().length;
  for (let n = 0; n < 5; n++) socket.send(playing(0x34));
  await until('the customer hears the web client', () => heard.includes(0x34));
  await until('the web client hears the customer', () => codes().length > before + 5);
  lease.release();
  socket.close();
});

test('of many malformed messages only the first ones are answered', async () => {
  const { socket, messages } = await served.connectLeg();
  for (let n = 0; n < 300; n++) socket.send('x');
  socket.send(playing(0x34));
  const { length } = messages;
  await until('it still receives audio', () => messages.length > length + 50);
  const answered = messages.filter(({ event }) => event === 'error').length;
  assert.ok(answered >= 10 && answered <= 15, `${answered} answers`);
  socket.close();
});

test('a drain waits for a web client that is connected, and whose audio is yet to come', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const slow = await serveWebClientAudio(harness, { populate: () => opened.then(() => () => undefined) });
  const { socket, messages } = await slow.connect(slow.mintToken(slow.newLeg()));
  let isDrained = false;
  const drained = slow.webClientAudio.drain(60_000).then(() => {
    isDrained = true;
  });
  open();
  await until('the web client receives audio', () => messages.length > 0);
  assert.equal(isDrained, false);
  socket.close();
  await drained;
  slow.close();
});
