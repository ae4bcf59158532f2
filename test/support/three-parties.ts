/**
 * Consult transfers and listeners on the calls of a live carrier. Each party sends a different tone, so the tests
 * can measure which parties are connected. Telephones are at the carrier. Web clients are connected to the product.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import { LISTENER_HEARERS } from '../../src/domain/voice/calls/state/call-listener.ts';
import { closeAfterTests } from './close-after-tests.ts';
import type { Json } from './events.ts';
import { connectHandset } from './handset.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import { powerAt } from './tone-power.ts';
import { logIn, makeWebClient, type WebClientSocket } from './web-clients.ts';

/** A party: its tone, and whether it heard a tone in its last half second. */
type Party = {
  readonly frequencyHz: number;
  hears(frequencyHz: number): boolean | Promise<boolean>;
  /** Stops the party's activity. */
  stop?(): void;
  /** Connects its audio again, at another gateway. Absent for people at telephones. */
  again?(): Promise<Party>;
};

type Telephone = Party & { readonly address: string };

/** A live tenant at a carrier, with a number and people that can be called. */
export type ThreePartyLine = {
  readonly harness: Harness;
  readonly key: string;
  readonly tenantId: string;
  readonly make: (path: string, body: object, status?: number) => Promise<Json>;
  readonly get: (path: string) => Promise<Json>;
  readonly untilHas: (path: string, fields: object) => Promise<void>;
  /** Sets the behavior of the number for calls. */
  readonly route: (open_behavior: object) => Promise<void>;
  /** Adds a person who answers, and speaks all the time. `index` distinguishes the people of a call. */
  readonly newTelephone: (index: number) => Promise<Telephone>;
  /** A person calls the number. */
  readonly callIn: (from: string) => Promise<void>;
  /** Waits for half a second of the carrier's time and a little more. */
  readonly pass: () => Promise<void>;
  /**
   * Drains the gateway with the audio of all calls, without a wait. Another gateway takes the audio. If this is absent,
   * the tests of drained gateways are left out.
   */
  readonly moveAudio?: () => Promise<void>;
};

type Kind = 'telephone' | 'web client';
/** Whom each party hears, by name. */
type Hearing = Readonly<Record<string, readonly string[]>>;

/** These tones are far from each other, from the people's tones, and from the notes of hold audio. */
const WEB_CLIENTS_HZ = [1_150, 1_550, 2_430] as const;
const LIMIT_MS = 30_000;
/** Half a second. */
const WINDOW_BYTES = 4_000;
const HEARD_POWER = 200_000;

function createMatrix(pass: ThreePartyLine['pass']) {
  const parties = new Map<string, Party>();
  const hearing = async (): Promise<Hearing> => {
    const heard: Record<string, string[]> = {};
    for (const [name, party] of parties) {
      heard[name] = [];
      for (const [other, { frequencyHz }] of parties) if (await party.hears(frequencyHz)) heard[name].push(other);
    }
    return heard;
  };
  return {
    add: (name: string, party: Party) => void parties.set(name, party),
    /** Removes a party that has left the call. */
    remove: (name: string) => {
      parties.get(name)?.stop?.();
      parties.delete(name);
    },
    /** Waits until the parties hear exactly the expected tones, and checks that this does not change. */
    becomes: async (expected: Hearing): Promise<void> => {
      const isSo = async () => JSON.stringify(await hearing()) === JSON.stringify(expected);
      await until(`they hear ${JSON.stringify(expected)}`, isSo, LIMIT_MS).catch(async (error: unknown) => {
        assert.deepEqual(await hearing(), expected);
        throw error;
      });
      await pass();
      // On a busy machine the audio of a party has gaps. Nobody hears a party for that whom it must not hear.
      for (const [name, others] of Object.entries(await hearing())) {
        const tooMany = others.filter((other) => !expected[name]?.includes(other));
        assert.deepEqual(tooMany, [], `${name} hears them`);
      }
      await until(`they still hear ${JSON.stringify(expected)}`, isSo, LIMIT_MS);
    },
    /** Connects the audio of web clients again. */
    reconnect: async (): Promise<void> => {
      for (const [name, { stop, again }] of parties) {
        if (again === undefined) continue;
        stop?.();
        parties.set(name, await again());
      }
    },
    stop: () => {
      for (const { stop } of parties.values()) stop?.();
    },
  };
}

/** Plays the tests on a line. */
export function describeThreeParties(name: string, line: ThreePartyLine): void {
  const { harness, key, tenantId, make, untilHas, route, newTelephone, callIn, pass, moveAudio } = line;
  const serving = {
    url: harness.url,
    call: ((method, path, asked = {}) => harness.call(method, path, { key, ...asked })) as Harness['call'],
  };

  /** Returns the audio of a web client, which speaks from now on. */
  const speakAt = async (client: WebClientSocket, callId: string, index: number): Promise<Party> => {
    const address = await client.receiveMedia();
    const speak = async ({ url, token }: Pick<typeof address, 'url' | 'token'>): Promise<Party> => {
      const audio = connectHandset({ url: new URL(url).origin }, { url, token });
      await once(audio.socket, 'open');
      const frequencyHz = WEB_CLIENTS_HZ[index] as number;
      const stop = audio.hum(frequencyHz);
      // A failed test does not stop it, and the process would not end.
      closeAfterTests(stop);
      const hears = (hz: number) =>
        powerAt(decodeMulaw(audio.audioOf('inbound').subarray(-WINDOW_BYTES)), hz) > HEARD_POWER;
      const again = async () => {
        client.send({ type: 'media', call_id: callId });
        return speak(await client.receive('media'));
      };
      return { frequencyHz, hears, stop, again };
    };
    return speak(address);
  };

  /** Adds a person who can be rung. `answered` resolves with the person's audio after the answer. */
  const makePerson = async (kind: Kind, index: number) => {
    if (kind === 'telephone') {
      const telephone = await newTelephone(index);
      return { address: telephone.address, answered: async () => telephone as Party };
    }
    const { id } = await makeWebClient(serving, tenantId);
    const client = await logIn(serving, id);
    return {
      address: id as string,
      answered: async () => {
        const { call_id } = await client.receive('incoming');
        client.send({ type: 'answer', call_id });
        return await speakAt(client, call_id, index);
      },
    };
  };

  /** Makes a call whose customer and agent hear each other. */
  const talk = async (agentKind: Kind) => {
    const agent = await makePerson(agentKind, 0);
    await route({ type: 'ring', targets: [agent.address], timeout_seconds: 30 });
    const customer = await newTelephone(2);
    await callIn(customer.address);
    const find = async () =>
      (await line.get('/calls?limit=20')).data.find((call: Json) => call.from === customer.address);
    await until('the call has arrived', async () => (await find()) !== undefined, LIMIT_MS);
    const { id } = await find();
    const matrix = createMatrix(pass);
    const audio = await agent.answered();
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    matrix.add('customer', customer);
    matrix.add('agent', audio);
    await matrix.becomes({ customer: ['agent'], agent: ['customer'] });
    return { id: id as string, matrix };
  };

  const listenTo = async (id: string, speaks_to: string) => {
    const { id: web_client_id } = await makeWebClient(serving, tenantId);
    const client = await logIn(serving, web_client_id);
    const listener = await make(`/calls/${id}/listeners`, { web_client_id, speaks_to });
    await client.receive('dialing');
    return { listener, audio: await speakAt(client, id, 2) };
  };

  const consult = async (call: Awaited<ReturnType<typeof talk>>, newKind: Kind) => {
    const { id, matrix } = call;
    const other = await makePerson(newKind, 1);
    await make(`/calls/${id}/transfer`, { to: other.address, mode: 'consult' }, 202);
    matrix.add('new', await other.answered());
  };

  const hangUp = async ({ id, matrix }: Awaited<ReturnType<typeof talk>>) => {
    await make(`/calls/${id}/hangup`, {}, 200);
    await untilHas(`/calls/${id}`, { status: 'completed' });
    matrix.stop();
  };

  describe(`${name}: three parties`, () => {
    for (const [agentKind, newKind] of [
      ['telephone', 'telephone'],
      ['web client', 'web client'],
      ['web client', 'telephone'],
      ['telephone', 'web client'],
    ] as const) {
      test(`${agentKind} consults ${newKind}: the agents hear each other alone, and after it the customer hears the new one`, async () => {
        const call = await talk(agentKind);
        await consult(call, newKind);
        await call.matrix.becomes({ customer: [], agent: ['new'], new: ['agent'] });
        await make(`/calls/${call.id}/transfer/complete`, {}, 200);
        call.matrix.remove('agent');
        await call.matrix.becomes({ customer: ['new'], new: ['customer'] });
        await hangUp(call);
      });
    }

    for (const agentKind of ['telephone', 'web client'] as const) {
      test(`a consultation of a ${agentKind} that is canceled leaves the customer and the agent as before`, async () => {
        const call = await talk(agentKind);
        await consult(call, agentKind === 'telephone' ? 'web client' : 'telephone');
        await call.matrix.becomes({ customer: [], agent: ['new'], new: ['agent'] });
        await make(`/calls/${call.id}/transfer/cancel`, {}, 200);
        call.matrix.remove('new');
        await call.matrix.becomes({ customer: ['agent'], agent: ['customer'] });
        await hangUp(call);
      });
    }

    const both = ['customer', 'agent'];
    const heard: Readonly<Record<(typeof LISTENER_HEARERS)[number], Hearing>> = {
      none: { customer: ['agent'], agent: ['customer'], listener: both },
      agent: { customer: ['agent'], agent: ['customer', 'listener'], listener: both },
      all: { customer: ['agent', 'listener'], agent: ['customer', 'listener'], listener: both },
    };
    for (const speaksTo of LISTENER_HEARERS) {
      test(`a listener to an agent at a telephone who speaks to ${speaksTo} hears both, and is heard by these alone`, async () => {
        const call = await talk('telephone');
        const { listener, audio } = await listenTo(call.id, speaksTo);
        call.matrix.add('listener', audio);
        await call.matrix.becomes(heard[speaksTo]);
        if (moveAudio !== undefined) {
          await moveAudio();
          await call.matrix.reconnect();
          await call.matrix.becomes(heard[speaksTo]);
        }
        const ended = await harness.call('DELETE', `/v1/calls/${call.id}/listeners/${listener.id}`, { key });
        assert.equal(ended.status, 204);
        call.matrix.remove('listener');
        await call.matrix.becomes({ customer: ['agent'], agent: ['customer'] });
        await hangUp(call);
      });
    }

    test('a listener to an agent at a web client who speaks to all hears both, and not itself', async () => {
      const call = await talk('web client');
      call.matrix.add('listener', (await listenTo(call.id, 'all')).audio);
      await call.matrix.becomes(heard.all);
      await hangUp(call);
    });

    for (const [agentKind, newKind] of [
      ['telephone', 'web client'],
      ['web client', 'telephone'],
      ['web client', 'web client'],
    ] as const) {
      const skip = moveAudio === undefined && 'the gateway is not apart';
      test(`${agentKind} consults ${newKind}: the same people hear each other after their gateway was drained`, {
        skip,
      }, async () => {
        const call = await talk(agentKind);
        call.matrix.add('listener', (await listenTo(call.id, 'all')).audio);
        await call.matrix.becomes(heard.all);
        await consult(call, newKind);
        const consulting = {
          customer: [],
          agent: ['listener', 'new'],
          listener: ['agent', 'new'],
          new: ['agent', 'listener'],
        };
        await call.matrix.becomes(consulting);
        await moveAudio?.();
        await call.matrix.reconnect();
        await call.matrix.becomes(consulting);
        await make(`/calls/${call.id}/transfer/complete`, {}, 200);
        call.matrix.remove('agent');
        const completed = {
          customer: ['listener', 'new'],
          listener: ['customer', 'new'],
          new: ['customer', 'listener'],
        };
        await call.matrix.becomes(completed);
        await hangUp(call);
      });
    }

    test('a listener hears two agents at telephones who consult, and speaks to them alone', async () => {
      const call = await talk('telephone');
      call.matrix.add('listener', (await listenTo(call.id, 'all')).audio);
      await call.matrix.becomes(heard.all);
      await consult(call, 'telephone');
      const consulting = {
        customer: [],
        agent: ['listener', 'new'],
        listener: ['agent', 'new'],
        new: ['agent', 'listener'],
      };
      await call.matrix.becomes(consulting);
      await make(`/calls/${call.id}/transfer/complete`, {}, 200);
      call.matrix.remove('agent');
      await call.matrix.becomes({
        ...{ customer: ['listener', 'new'], listener: ['customer', 'new'], new: ['customer', 'listener'] },
      });
      await hangUp(call);
    });
  });
}
