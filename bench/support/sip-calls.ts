/** The kinds of calls in the SIP benchmark. Each function resolves when its calls are over for all people. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventSocket } from '../../src/carriers/sip/event-socket.ts';
import { silentLog } from '../../test/support/jobs.ts';
import { expectBody } from './numbers.ts';
import { type PeopleReport, TARGET_NUMBER } from './sip-order.ts';
import { type EngineName, RECORDED, type SipWorld, STREAMED_NUMBER, TRUNK } from './sip-world.ts';

/** Calls of one kind: their number, how many start in a second, and how long they last. */
type Load = { readonly calls: number; readonly perSecond: number; readonly talkMs: number };

const FIRST_AGENT = 16_025_580_000;
const LOOK_MS = 100;
/** A stream has a message of 20 ms for each track. It begins a little after the call. */
const MESSAGES_PER_SECOND = 100;
let agents = 0;

/** Places calls to the target. */
export async function callIn(world: SipWorld, name: EngineName, load: Load, to = world.number): Promise<PeopleReport> {
  return await world.order({ do: 'place', enginePort: world.engines[name].sipPort, to, ...load });
}

/**
 * Places calls to the dialplan that listens for digits. A socket receives the events of all channels (`subscribeAll`).
 */
export async function callInHeard(world: SipWorld, load: Load): Promise<void> {
  const { client } = world.engines.keys;
  let events = 0;
  const socket = await openEventSocket({ client, log: silentLog, onEvent: () => events++ });
  await callIn(world, 'keys', load);
  socket.close();
  await socket.closed;
  if (events < load.calls) throw new Error(`${events} events were heard`);
}

/** Places calls to the number whose dialplan streams both sides of a call. Checks that the streams arrive. */
export async function callInForked(world: SipWorld, load: Load): Promise<void> {
  await callIn(world, 'keys', load, STREAMED_NUMBER);
  const messagesMin = ((load.talkMs / 1_000) * MESSAGES_PER_SECOND) / 4;
  await world.order({ do: 'check', streams: 2 * load.calls, messagesMin });
}

/** Places calls whose two sides are streamed to a listener. */
export async function callInStreamed(world: SipWorld, load: Load): Promise<void> {
  const listeners: Promise<unknown>[] = [];
  const known = new Set<string>();
  let isOver = false;
  const streaming = async () => {
    while (!isOver) {
      for (const id of await world.listJoined()) {
        if (known.has(id)) continue;
        known.add(id);
        const stream = await expectBody(world.call('POST', `/v1/calls/${id}/streams`, { body: {} }));
        const url = new URL(stream.url);
        const messagesMin = ((load.talkMs / 1_000) * MESSAGES_PER_SECOND) / 2;
        const address = `${world.url.replace(/^http/, 'ws')}${url.pathname}?token=${stream.token}`;
        listeners.push(world.order({ do: 'listen', url: address, messagesMin }));
      }
      await sleep(LOOK_MS);
    }
  };
  const streamed = streaming();
  await Promise.race([callIn(world, 'ours', load), streamed]);
  isOver = true;
  await streamed;
  await Promise.all(listeners);
  if (listeners.length !== load.calls) throw new Error(`${listeners.length} calls were streamed`);
}

/** Recorded calls from agents to the target, by the product or by a dialplan. */
export async function callOutRecorded(world: SipWorld, name: EngineName, load: Load): Promise<void> {
  const taken: Promise<unknown>[] = [];
  for (let count = 0; count < load.calls; count++) {
    const agent = `+${FIRST_AGENT + agents++}`;
    taken.push(world.order({ do: 'take', agent, talkMs: load.talkMs }));
    if (name === 'ours') {
      const body = { from: world.numberId, connect_to: agent, to: TARGET_NUMBER, record: true };
      await expectBody(world.call('POST', '/v1/calls', { body }));
    } else {
      const query = { endpoint: `PJSIP/${agent}@${TRUNK}`, context: RECORDED, extension: 's', priority: '1' };
      const made = await world.engines[name].client.ask({ method: 'POST', path: '/channels', query });
      if (made.is !== 'answered') throw new Error(`the engine does not call: ${JSON.stringify(made)}`);
    }
    await sleep(1_000 / load.perSecond);
  }
  await Promise.all(taken);
}
