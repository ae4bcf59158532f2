import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sine } from '../../../audio/tones.ts';
import { decodeWav, encodeWav } from '../../../audio/wav.ts';
import { today } from '../../../lib/time/time.ts';
import type { LiveLeg } from '../sip-line.ts';
import { argsOf, type Task, taskOf } from './helpers.ts';
import { choosePlayers } from './playbacks.ts';
import { repairHeader } from './recordings.ts';
import { makeRound } from './sounds.ts';
import { variablesOf } from './streams.ts';

const legOf = (legRef: string, rest: Partial<LiveLeg> = {}): LiveLeg => ({
  ...{
    ledgerId: 1,
    legRef,
    callRef: 'call_1',
    party: 'customer',
    engine: 'a',
    channelId: `${legRef}.0`,
    dialled: null,
  },
  ...{
    commandRef: null,
    attempt: 0,
    isHungUp: false,
    bridgeId: null,
    isHeld: false,
    isOfEngine: false,
    cause: null,
    endedAt: null,
    isNew: false,
  },
  ...rest,
});
const chosen = (legs: readonly LiveLeg[], ofCall: readonly LiveLeg[]) =>
  choosePlayers(legs, ofCall).map((player) => [player.by, player.by === 'whisper' ? player.into : player.id]);

describe('what plays a speech', () => {
  const joined = { bridgeId: 'call_1.x' };
  const customer = legOf('c', joined);
  const agent = legOf('a', joined);

  test('a leg without a partner plays it itself, also one that is alone in its bridge', () => {
    const alone = legOf('c');
    assert.deepEqual(chosen([alone], [alone]), [['channel', 'c.0']]);
    const gone = { ...agent, endedAt: today() };
    assert.deepEqual(chosen([customer], [customer, gone]), [['channel', 'c.0']]);
  });

  test('two legs that hear each other hear one sound, from their bridge', () => {
    assert.deepEqual(chosen([customer, agent], [agent, customer]), [['bridge', 'call_1.x']]);
  });

  test('it is whispered to one of two legs that hear each other', () => {
    assert.deepEqual(chosen([agent], [customer, agent]), [['whisper', 'a.0']]);
  });

  test('it is whispered to a held leg, and the other leg plays it itself', () => {
    const held = { ...customer, isHeld: true };
    assert.deepEqual(chosen([held, agent], [held, agent]), [
      ['whisper', 'c.0'],
      ['channel', 'a.0'],
    ]);
  });

  test('legs of different bridges hear one sound each', () => {
    const other = legOf('b');
    assert.deepEqual(chosen([customer, other], [customer, agent, other]), [
      ['whisper', 'c.0'],
      ['channel', 'b.0'],
    ]);
  });
});

describe('requests to the engine', () => {
  test('a task comes back with the event that says that its channel takes commands', () => {
    const tasks: Task[] = [
      { do: 'play', playbackId: 'p1' },
      { do: 'record', recordingRef: 'rec_1' },
      { do: 'join', bridgeId: 'x-b' },
    ];
    for (const task of tasks) assert.deepEqual(taskOf({ args: argsOf(task).split(',') }), task);
    for (const args of [
      undefined,
      [],
      ['dialled'],
      ['helper', 'media'],
      ['helper', 'other', 'x'],
      ['helper', 'play'],
    ]) {
      assert.equal(taskOf({ args }), undefined);
    }
  });

  test('the address of a socket names its one track, and its parts have no comma or parenthesis', () => {
    const url = 'wss://media.example/v1/ingest?node=n1&call=call_1&leg=leg_1&track=both&token=a%2Cb%29c';
    assert.equal(variablesOf(url, 'inbound'), 'node=n1,call=call_1,leg=leg_1,track=inbound,token=a%2Cb%29c');
  });
});

describe('files', () => {
  test('hold audio fills a minute, and ends where it may begin again', () => {
    const second = sine({ frequencyHz: 100, samples: 7_000 });
    const round = makeRound(second);
    assert.equal(round.length, 69 * 7_000);
    assert.deepEqual(round.subarray(7_000, 14_000), second);
    const long = new Int16Array(500_000);
    assert.equal(makeRound(long).length, 500_000);
  });

  test('the header of a recording that was cut off says how long it is', () => {
    const whole = encodeWav(sine({ frequencyHz: 400, samples: 800 }));
    assert.equal(repairHeader(whole), whole);
    const cut = Buffer.from(whole);
    cut.writeUInt32LE(0, 40);
    assert.deepEqual(decodeWav(repairHeader(cut)).pcm, decodeWav(whole).pcm);
    const empty = encodeWav(new Int16Array(0));
    assert.equal(repairHeader(empty), empty);
  });
});
