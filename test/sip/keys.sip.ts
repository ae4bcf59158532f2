/** Keys that callers press, in each way that a trunk may send them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import type { KeyWay } from './people.ts';
import { useSipLine } from './sip-line.ts';

const ways = ['rfc4733', 'info', 'inband'] as const;
const line = await useSipLine({
  names: [...ways, 'auto'],
  trunkSettings: Object.fromEntries(ways.map((dtmf) => [dtmf, { dtmf }])),
});
const { engine, number, providers, get, make, untilHas, eventsOf, untilEvent, route, untilQuiet } = line;

const LIMIT_MS = 20_000;

/** A caller over a trunk is answered, and a gather waits for keys. */
async function gather(trunk: number) {
  await route({ type: 'ring', targets: [newPerson()] });
  const [caller, people] = [newPerson(), providers[trunk] ?? assert.fail()];
  people.set(caller, { frequencyHz: 0 });
  await people.callIn(caller, number.phone_number, engine.sipPort);
  const find = async () => (await get('/calls?limit=20')).data.find(({ from }: Json) => from === caller) as Json;
  await until('the call has arrived', async () => (await find()) !== undefined, LIMIT_MS);
  const { id } = await find();
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await until('the caller hears the target', () => people.phoneOf(caller).hears(440), LIMIT_MS);
  await make(`/calls/${id}/gather`, { prompt: 'Press three.', max_digits: 3 }, 200);
  return {
    press: async (keys: string, way: KeyWay) => {
      for (const key of keys) await people.press(caller, key, way);
    },
    /** Resolves with the gathered digits after the end of the call. */
    gathered: async () => {
      await untilEvent(id, 'call.gather');
      people.hangUp(caller);
      await untilHas(`/calls/${id}`, { status: 'completed' });
      await untilQuiet();
      const events = await eventsOf(id, 'call.gather');
      assert.equal(events.length, 1);
      assert.equal((await eventsOf(id, 'call.dtmf')).length, 3, JSON.stringify((await get(`/calls/${id}`)).events));
      return events[0]?.digits;
    },
  };
}

for (const [trunk, way] of ways.entries()) {
  test(`a gather takes each key once that is sent by ${way}, over a trunk with that setting`, async () => {
    const { press, gathered } = await gather(trunk);
    await press('4*2', way);
    assert.equal(await gathered(), '4*2');
  });
}

test('a tone in the sound is no key where keys come by RFC 4733', async () => {
  const { press, gathered } = await gather(ways.indexOf('rfc4733'));
  await press('9', 'inband');
  await press('177', 'rfc4733');
  assert.equal(await gathered(), '177');
});

test('a trunk that offers RFC 4733 sends keys so without a setting', async () => {
  const { press, gathered } = await gather(ways.length);
  await press('9', 'inband');
  await press('805', 'rfc4733');
  assert.equal(await gathered(), '805');
});
