/** A live tenant with calls over a real engine. Its number comes from a carrier of this process. */
import assert from 'node:assert/strict';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { NO_SPEECH_SERVERS, type SpeechSettings } from '../../src/server/parts/open-speech.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import type { HarnessOptions } from '../support/harness.ts';
import { useHarness } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson, read } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { findOnSale, makeTenant } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import { startEngine } from './engine.ts';
import { startPeople } from './people.ts';

/** Events at an engine take real time. */
const PATIENCE_MS = 20_000;

/** The tenant and the number of calls over the engine, for settings that contain them. */
type Owner = { readonly tenantId: string; readonly phoneNumber: string };

/** Starts the product, an engine, and a provider with people for each trunk (`names`, in the order of their use). */
export async function useSipLine({
  names = ['main'],
  emergencyTrunk,
  settings = {},
  speech = NO_SPEECH_SERVERS,
  firstTrunks = [],
  engineSettings = {},
  authority,
  passwords = {},
  trunkSettings = {},
  waitsS,
  mediaPort,
}: {
  /** Additional settings of the trunks in `names`. */
  readonly trunkSettings?: Readonly<Record<string, object>>;
  /** Trunks to other providers. They are tried before the trunks of `names`. */
  readonly firstTrunks?: readonly object[];
  readonly engineSettings?: Readonly<Record<string, string>> | ((owner: Owner) => Readonly<Record<string, string>>);
  /** The authority (PEM) that the engine checks certificates of providers against. */
  readonly authority?: string;
  /** The port of gateways in separate processes. Without it, the product serves the audio of calls. */
  readonly mediaPort?: number;
  /** How long calls wait while the product is not connected to the engine. By default the product's own time. */
  readonly waitsS?: number;
  readonly names?: readonly string[];
  readonly emergencyTrunk?: string;
  readonly settings?: HarnessOptions['settings'];
  readonly speech?: SpeechSettings;
  /** The passwords of telephones, by their names or numbers. */
  readonly passwords?: Readonly<Record<string, string>>;
} = {}) {
  const providers = await Promise.all(names.map((_, at) => startPeople(`127.0.0.${at + 1}`)));
  for (const provider of providers) closeAfterTests(() => provider.close());
  const [people = assert.fail()] = providers;
  const port = await freePort();
  const media = { mediaUrl: `ws://127.0.0.1:${mediaPort ?? port}`, ...settings };
  const harness = await useHarness({
    liveCarrier: ({ simulated }) => simulated,
    ...{ adapterKinds: [SIP_KIND], port, settings: media, speech, serveMedia: mediaPort === undefined },
  });
  const trunks = names.map((name, at) => ({
    name,
    host: `127.0.0.${at + 1}`,
    port: providers[at]?.port,
    keepalive_s: 5,
    ...trunkSettings[name],
  }));
  const key = harness.account.live_key;
  const tenantId = await makeTenant(harness, key);
  const phoneNumber = await findOnSale(harness, key);
  const engine = await startEngine({
    dialplaneUrl: mediaPort === undefined ? harness.url : `http://127.0.0.1:${mediaPort}`,
    settings: {
      trunks: JSON.stringify([...firstTrunks, ...trunks]),
      ...(emergencyTrunk && { emergency_trunk: emergencyTrunk }),
      ...(typeof engineSettings === 'function' ? engineSettings({ tenantId, phoneNumber }) : engineSettings),
    },
    credentials: { passwords: JSON.stringify(passwords) },
    ...(authority !== undefined && { authority }),
    ...(waitsS !== undefined && { waitsS }),
  });
  closeAfterTests(() => engine.close());
  const connectionId = await addConnection(harness.context, {
    ...{ kind: 'sip', name: 'desk', ...engine.connection, capabilities: ['voice'] },
  });
  await harness.connections.refresh();
  const ready = 'select 1 from sip_engines where ready_at is not null';
  await until('the engine is heard', async () => (await sql(harness.context.db, ready)).length > 0, PATIENCE_MS);
  await fund(harness);
  const get = (path: string): Promise<Json> => read(harness, path, key);
  const make = async (path: string, body: object, status = 201): Promise<Json> => {
    const reply = await harness.call('POST', `/v1${path}`, { key, body });
    assert.equal(reply.status, status, JSON.stringify(reply.body));
    return reply.body;
  };
  const number = await make('/phone_numbers', { tenant_id: tenantId, phone_number: phoneNumber });
  /** Waits until a resource has these fields. */
  const untilHas = (path: string, fields: object): Promise<void> =>
    until(
      `${path} has ${JSON.stringify(fields)}`,
      async () => {
        const found = await get(path);
        return Object.entries(fields).every(([name, value]) => found[name] === value);
      },
      PATIENCE_MS,
    );
  const eventsOf = async (id: string, type: string): Promise<Json[]> =>
    (await get(`/events?resource_id=${id}&type=${type}`)).data.map(({ data }: Json) => data);
  const route = async (open_behavior: object, fields: object = {}) => {
    const config = await make('/routing_configs', { tenant_id: tenantId, name: 'Desk', open_behavior, ...fields });
    const patch = { key, body: { routing_config_id: config.id } };
    assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  };
  return {
    ...{
      harness,
      engine,
      people,
      providers,
      connectionId,
      key,
      tenantId,
      number,
      get,
      make,
      untilHas,
      eventsOf,
      route,
    },
    /** A person calls the number. Resolves with the call's id and the caller, once the call has arrived. */
    callIn: async (caller = newPerson(), headers: readonly string[] = []) => {
      await people.callIn(caller, number.phone_number, engine.sipPort, headers);
      const find = async () => (await get('/calls?limit=20')).data.find(({ from }: Json) => from === caller);
      await until('the call has arrived', async () => (await find()) !== undefined, PATIENCE_MS);
      return { id: (await find()).id as string, caller };
    },
    untilEvent: (id: string, type: string, times = 1) =>
      until(`${type} of ${id}`, async () => (await eventsOf(id, type)).length >= times, PATIENCE_MS),
    /** Waits until no channel is left at the engine. */
    untilQuiet: () => until('no channel is left', async () => (await engine.listChannels()).length === 0, PATIENCE_MS),
  };
}
