/**
 * Consult transfers with a listener, whose audio moves to another gateway because the first one is drained. A tone of
 * each party shows who hears whom, before and after the move.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { type CallListener, LISTENER_HEARERS } from '../../src/domain/voice/calls/state/call-listener.ts';
import { callIn, playParty, ringing, route } from '../support/calls.ts';
import { cloneDatabase } from '../support/database.ts';
import { askForAudio, connectHandset } from '../support/handset.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { answerLate } from '../support/late-answers.ts';
import { newPerson } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { reachStatus } from '../support/streams.ts';
import { createToneMatrix, type Hearing } from '../support/tone-matrix.ts';
import { logIn, makeWebClient, type WebClientSocket } from '../support/web-clients.ts';

type Kind = 'telephone' | 'web client';
type Hearers = CallListener['speaksTo'];
type Audio = ReturnType<typeof connectHandset>;
type Gateway = Pick<Harness, 'url'>;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
/** The API, the signalling and the workers, without a gateway. */
let api: Harness;
before(async () => {
  database = await cloneDatabase();
  api = await startHarness({ databaseUrl: database.url, serveMedia: false });
});
after(async () => {
  for (const gateway of gateways) await gateway.close();
  await api.close();
  await database.drop();
});

const gateways = new Set<Harness>();

async function openGateway(): Promise<Harness> {
  const gateway = await startHarness({ databaseUrl: database.url, startWorkers: false });
  gateways.add(gateway);
  return gateway;
}

async function closeGateway(gateway: Harness): Promise<void> {
  gateways.delete(gateway);
  await gateway.close();
}

/** A party, and how its audio is connected at a gateway: the first time, and again after it was lost. */
type Person = {
  readonly address: string;
  answer(id: string): Promise<void>;
  connect(id: string, gateway: Gateway): Promise<Audio>;
};

function personAt(address: string): Person {
  return {
    address,
    answer: async (id) => {
      await playParty(api, id, 'take_over', { number: address });
      await playParty(api, id, 'answer', { target: address });
    },
    connect: async (id, gateway) => connectHandset(gateway, await askForAudio(api, id, address)),
  };
}

/**
 * The audio of a web client: the frames that the server has sent, and the lost frames that it sends again on request.
 */
function audioOf(client: WebClientSocket): Person['connect'] {
  let isFirst = true;
  return async (id, gateway) => {
    if (!isFirst) client.send({ type: 'media', call_id: id });
    isFirst = false;
    return connectHandset(gateway, await client.receive('media'));
  };
}

async function makePerson(tenantId: string, kind: Kind): Promise<Person> {
  if (kind === 'telephone') {
    const person = personAt(newPerson());
    await answerLate(api.context.db, [person.address]);
    return person;
  }
  const { id: address } = await makeWebClient(api, tenantId);
  const client = await logIn(api, address);
  return {
    address,
    answer: async (id) => {
      await client.receive('incoming');
      client.send({ type: 'answer', call_id: id });
    },
    connect: audioOf(client),
  };
}

async function post(path: string, body: object, status: number): Promise<void> {
  const reply = await api.call('POST', `/v1/calls/${path}`, { body });
  assert.equal(reply.status, status, JSON.stringify(reply.body));
}

/** A customer on hold, an agent who talks to a new one, and a listener. Returns what connects their audio. */
async function consult(kinds: readonly [Kind, Kind], speaksTo: Hearers, gateway: Gateway) {
  const line = await makeLine(api);
  const [agent, other] = [await makePerson(line.tenantId, kinds[0]), await makePerson(line.tenantId, kinds[1])];
  await route(api, line, { open_behavior: ringing([agent.address]) });
  const customer = personAt(newPerson());
  const { id } = await callIn(api, line, { from: customer.address });
  await playParty(api, id, 'take_over', { number: customer.address });
  await agent.answer(id);
  const { id: web_client_id } = await makeWebClient(api, line.tenantId);
  const client = await logIn(api, web_client_id);
  await reachStatus(api, id, 'in_progress');
  await post(`${id}/listeners`, { web_client_id, speaks_to: speaksTo }, 201);
  await post(`${id}/transfer`, { to: other.address, mode: 'consult' }, 202);
  await other.answer(id);
  const parties = { customer, agent, new: other, listener: { connect: audioOf(client) } };
  const connect = async (at: Gateway) => {
    const matrix = createToneMatrix();
    for (const [name, party] of Object.entries(parties)) {
      const audio = await party.connect(id, at);
      await once(audio.socket, 'open');
      matrix.add(name, audio);
    }
    return matrix;
  };
  return { id: id as string, connect, matrix: await connect(gateway) };
}

/** Whom the parties hear while the customer is on hold: a listener who speaks is heard by the agents. */
function consulting(speaksTo: Hearers): Hearing {
  const heard = speaksTo === 'none' ? [] : ['listener'];
  return { customer: [], agent: ['new', ...heard], new: ['agent', ...heard], listener: ['agent', 'new'] };
}

/** Whom they hear once the new agent has the customer. */
function completed(speaksTo: Hearers): Hearing {
  return {
    customer: ['new', ...(speaksTo === 'all' ? ['listener'] : [])],
    new: ['customer', ...(speaksTo === 'none' ? [] : ['listener'])],
    listener: ['customer', 'new'],
  };
}

const KINDS: Readonly<Record<Hearers, readonly [Kind, Kind]>> = {
  none: ['web client', 'telephone'],
  agent: ['telephone', 'web client'],
  all: ['web client', 'web client'],
};

test('in each mode the same people hear each other at the gateway that takes the calls of a drained one at once', async () => {
  const one = await openGateway();
  const calls = [];
  for (const speaksTo of LISTENER_HEARERS) {
    const call = await consult(KINDS[speaksTo], speaksTo, one);
    await call.matrix.becomes(consulting(speaksTo));
    calls.push({ ...call, speaksTo });
  }
  const two = await openGateway();
  await one.leave(0);
  await one.drain(0);
  for (const { matrix } of calls) matrix.stop();
  await closeGateway(one);
  for (const { id, connect, speaksTo } of calls) {
    const matrix = await connect(two);
    await matrix.becomes(consulting(speaksTo));
    await post(`${id}/transfer/complete`, {}, 200);
    matrix.remove('agent');
    await matrix.becomes(completed(speaksTo));
    matrix.stop();
    await post(`${id}/hangup`, {}, 200);
  }
  await closeGateway(two);
});

/** A customer and an agent who talk, and a listener who speaks to both. */
async function talk(): Promise<{ readonly id: string; readonly people: Readonly<Record<string, Person['connect']>> }> {
  const line = await makeLine(api);
  const agent = await makePerson(line.tenantId, 'web client');
  await route(api, line, { open_behavior: ringing([agent.address]) });
  const customer = personAt(newPerson());
  const { id } = await callIn(api, line, { from: customer.address });
  await playParty(api, id, 'take_over', { number: customer.address });
  await agent.answer(id);
  await reachStatus(api, id, 'in_progress');
  const { id: web_client_id } = await makeWebClient(api, line.tenantId);
  const client = await logIn(api, web_client_id);
  await post(`${id}/listeners`, { web_client_id, speaks_to: 'all' }, 201);
  return { id, people: { customer: customer.connect, agent: agent.connect, listener: audioOf(client) } };
}

const ALL: Hearing = {
  customer: ['agent', 'listener'],
  agent: ['customer', 'listener'],
  listener: ['customer', 'agent'],
};

test('a call whose party lost its audio leaves a gateway that drains, and nobody waits for the drain', async () => {
  let one = await openGateway();
  for (const lost of Object.keys(ALL)) {
    const [{ id, people }, other] = [await talk(), await talk()];
    const connect = async (call: Awaited<ReturnType<typeof talk>>, name: string, at: Gateway) => {
      const audio = await (call.people[name] as Person['connect'])(call.id, at);
      await once(audio.socket, 'open');
      return audio;
    };
    const audios = new Map<string, Audio>();
    for (const name of Object.keys(people)) audios.set(name, await connect({ id, people }, name, one));
    const stays = await connect(other, 'agent', one);
    const two = await openGateway();
    audios.get(lost)?.socket.terminate();
    const closed = [...audios].filter(([name]) => name !== lost).map(([, { socket }]) => once(socket, 'close'));
    await one.leave(0);
    const drained = one.drain(60_000);
    const matrix = createToneMatrix();
    const again = new Map([[lost, await connect({ id, people }, lost, two)]]);
    assert.deepEqual(new Set((await Promise.all(closed)).map(([code]) => code)), new Set([1013]));
    assert.equal(stays.socket.readyState, stays.socket.OPEN, 'a call that lost nothing stays');
    for (const name of Object.keys(people)) {
      const audio = again.get(name) ?? (await connect({ id, people }, name, two));
      again.set(name, audio);
      matrix.add(name, audio);
    }
    await matrix.becomes(ALL);
    matrix.stop();
    stays.socket.close();
    await drained;
    for (const { socket } of again.values()) socket.close();
    await closeGateway(one);
    one = two;
  }
  await closeGateway(one);
});
