import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { beepOf, talk } from '../../../test/support/answers.ts';
import { until } from '../../../test/support/jobs.ts';
import { type MediaNodeOptions, openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { concat, type Pcm, silence } from '../../audio/pcm.ts';
import { engineDialect } from '../../carriers/connections/media-dialects.ts';
import type { Detects } from './answer-ear.ts';

const start = useMediaNodes();
const CALL = { ledgerId: 1, callId: 'call_1' };
const PERSON = [silence(400), talk(700), silence(2_000)];
const BEEP = [beepOf(1_000, 400), silence(500)];
const MACHINE = [silence(400), talk(8_000), silence(500), ...BEEP];

/** Connects the audio of a leg's party to the detector. `say` sends audio in pieces that are not whole frames. */
async function hear(detects: Detects, options: MediaNodeOptions = {}) {
  const node = await start(options);
  node.grants.set('leg_1', { call: CALL, dialect: engineDialect, detects, isForDetectorAlone: true });
  const socket = new WebSocket(`${node.url}/v1/ingest?call=call_1&leg=leg_1&track=inbound&token=carrier-leg_1`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const say = (parts: readonly Pcm[]) => {
    const audio = encodeMulaw(concat(parts));
    for (let from = 0; from < audio.length; from += 250) socket.send(audio.subarray(from, from + 250));
  };
  return { node, socket, closed, say };
}

const namesOf = ({ findings }: Awaited<ReturnType<typeof hear>>['node']) =>
  findings.map((finding) => (finding.found === 'kind' ? finding.kind : finding));

test('a person is found, and the socket closes once that is stored', async () => {
  const { node, closed, say } = await hear('kind');
  say(PERSON);
  assert.equal(await closed, 1000);
  assert.deepEqual(namesOf(node), ['person']);
  assert.deepEqual(
    node.findings.map(({ legId }) => legId),
    ['leg_1'],
  );
  await until('the socket is forgotten', () => node.gateway.sockets.ingests === 0);
});

test('a machine is found while it talks, and the end of its greeting at the beep', async () => {
  const { node, closed, say } = await hear('kind');
  say(MACHINE);
  assert.equal(await closed, 1000);
  const [kind, ended] = node.findings;
  assert.ok(kind?.found === 'kind' && kind.kind === 'machine');
  assert.ok(ended?.found === 'greeting_ended' && ended.beep);
});

test('of a known machine the end of its greeting alone is found', async () => {
  const { node, closed, say } = await hear('greeting_end');
  say([talk(2_000), silence(300), ...BEEP]);
  assert.equal(await closed, 1000);
  assert.deepEqual(
    node.findings.map(({ found }) => found),
    ['greeting_ended'],
  );
});

test('a party that is heard too late is of an unknown kind', async () => {
  const { node, closed } = await hear('nothing');
  assert.equal(await closed, 1000);
  assert.deepEqual(namesOf(node), ['unknown']);
});

test('a finding that cannot be stored is stored later, and the socket stays open until then', async () => {
  const stored: string[] = [];
  let failures = 2;
  const { socket, closed, say } = await hear('kind', {
    ingests: {
      claim: async () => ({
        ok: true,
        grant: { call: CALL, dialect: engineDialect('inbound'), detects: 'kind', isForDetectorAlone: true },
      }),
      closed: async () => undefined,
      found: async (_call, _leg, finding) => {
        assert.equal(socket.readyState, socket.OPEN);
        if (failures-- > 0) throw new Error('no database');
        stored.push(finding.found);
      },
    },
  });
  say(PERSON);
  assert.equal(await closed, 1000);
  assert.deepEqual(stored, ['kind']);
});

test('the client of a stream does not hear what the detector hears, nor does the track count as taken', async () => {
  const { node, closed, say } = await hear('kind');
  const client = openMediaClient(node.addStream('stm_1', { call: CALL }));
  await client.until((messages) => messages.length > 1);
  const { detects: _none, ...grant } = node.grants.get('leg_1') ?? assert.fail();
  node.grants.set('leg_1', grant);
  const carrier = new WebSocket(`${node.url}/v1/ingest?call=call_1&leg=leg_1&track=inbound&token=carrier-leg_1`);
  await once(carrier, 'open');
  say(PERSON);
  assert.equal(await closed, 1000);
  await client.until((messages) => messages.length > 5);
  assert.ok(client.audioOf('inbound').every((code) => code === 0xff));
  carrier.close();
});

test('a socket whose audio cannot be read closes without a finding, and a stopping node closes it', async () => {
  const unreadable = await hear('kind');
  unreadable.socket.send('{"event":"MEDIA_START","format":"opus"}');
  assert.equal(await unreadable.closed, 1003);
  const malformed = await hear('kind');
  malformed.socket.send('none');
  assert.equal(await malformed.closed, 4400);
  const open = await hear('kind');
  open.say([talk(300)]);
  await until('it is open', () => open.node.gateway.sockets.ingests === 1);
  await open.node.gateway.drain(0);
  assert.equal(await open.closed, 1012);
  assert.deepEqual(
    [unreadable, malformed, open].map(({ node }) => node.findings.length),
    [0, 0, 0],
  );
});
