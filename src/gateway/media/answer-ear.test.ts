import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { beepOf, talk } from '../../../test/support/answers.ts';
import { until } from '../../../test/support/jobs.ts';
import { openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { concat, type Pcm, silence } from '../../audio/pcm.ts';
import { engineDialect } from '../../carriers/connections/media-dialects.ts';
import type { Detects } from './answer-ear.ts';

const start = useMediaNodes();
const CALL = { ledgerId: 1, callId: 'call_1' };
const MACHINE = [silence(400), talk(8_000), silence(500), beepOf(1_000, 400), silence(500)];

/** Connects the audio of a leg that the call and the detector share. */
async function share(detects: Detects) {
  const node = await start();
  node.grants.set('leg_1', { call: CALL, dialect: engineDialect, detects });
  const socket = new WebSocket(`${node.url}/v1/ingest?call=call_1&leg=leg_1&track=inbound&token=carrier-leg_1`);
  await once(socket, 'open');
  const say = (parts: readonly Pcm[]) => {
    const audio = encodeMulaw(concat(parts));
    for (let from = 0; from < audio.length; from += 250) socket.send(audio.subarray(from, from + 250));
  };
  return { node, socket, say };
}

test('audio that the call shares with the detector is judged, and its socket stays open after the last finding', async () => {
  const { node, socket, say } = await share('kind');
  say(MACHINE);
  await until('everything is found', () => node.findings.length === 2);
  const [kind, ended] = node.findings;
  assert.ok(kind?.found === 'kind' && kind.kind === 'machine' && kind.legId === 'leg_1');
  assert.ok(ended?.found === 'greeting_ended' && ended.beep);
  assert.equal(socket.readyState, socket.OPEN);
});

test('the client of a stream hears the audio too', async () => {
  const { node, say } = await share('kind');
  const client = openMediaClient(node.addStream('stm_1', { call: CALL }));
  await client.until((messages) => messages.length > 1);
  say([talk(500)]);
  await client.until(() => client.audioOf('inbound').some((code) => code !== 0xff));
});

test('a party that is heard too late is of an unknown kind, and the call keeps its audio', async () => {
  const { node, socket } = await share('nothing');
  await until('it is found', () => node.findings.length === 1);
  assert.ok(node.findings[0]?.found === 'kind' && node.findings[0].kind === 'unknown');
  assert.equal(socket.readyState, socket.OPEN);
  assert.equal(node.audios.size, 1);
});
