/**
 * The engines of the SIP benchmark, with one provider. Some engines only carry out a dialplan. A product in this
 * process controls another one, and has a live number that rings the same target.
 */
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { renderModules } from '../../src/carriers/sip/config/modules-conf.ts';
import { endpointOfTrunk } from '../../src/carriers/sip/config/trunk-endpoints.ts';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { ARI_PASSWORD, startEngine, type TestEngine } from '../../test/sip/engine.ts';
import { type Caller, createCaller } from '../../test/support/caller.ts';
import { until } from '../../test/support/jobs.ts';
import { addConnection, inProcessKind } from '../../test/support/live-network.ts';
import { fund } from '../../test/support/money.ts';
import { buyNumber, expectBody } from './numbers.ts';
import { startBenchPostgres } from './postgres.ts';
import { endChild, startChild } from './processes.ts';
import { startBenchProduct } from './product.ts';
import { type Numbered, type PeopleOrder, type PeopleReady, type PeopleReport, TARGET_NUMBER } from './sip-order.ts';
import { COUNTING } from './statements.ts';

const HEARD_MS_MAX = 20_000;

/** `alone` has only a dialplan. The dialplan of `keys` also listens for digits. `ours` is the product's engine. */
export type EngineName = 'alone' | 'keys' | 'ours';

export type SipWorld = {
  readonly engines: Readonly<Record<EngineName, TestEngine>>;
  readonly client: pg.Client;
  readonly postgresPid: number;
  readonly peoplePid: number;
  /** The address of the product. Requests use its live key. */
  readonly url: string;
  readonly call: Caller;
  /** A number that rings the target. */
  readonly number: string;
  readonly numberId: string;
  /** Returns the ids of the product's calls that connect two people. */
  listJoined(): Promise<readonly string[]>;
  /** Makes the people carry out an order. */
  order(order: PeopleOrder): Promise<PeopleReport>;
  close(): Promise<void>;
};

/** The engines' name for the trunk that leads to the people. */
export const TRUNK = endpointOfTrunk({ ariPassword: ARI_PASSWORD }, 'main');

/** The dialplan context of recorded calls. */
export const RECORDED = 'recorded';

/** A number of the engine whose dialplan listens for digits. Calls to this number are streamed. */
export const STREAMED_NUMBER = '+16025550191';

/**
 * Streams the voice of a channel's party to the people. Both legs of a call do this, so that both tracks are streamed:
 * a dialplan can listen to the audio from a channel, or to both sides, but not only to the audio for a channel.
 */
const STREAM = `Originate(WebSocket/dialplane/c(ulaw)f(json)v(track=inbound),app,ChanSpy,"\${CHANNEL},qoE",10,a)`;

/** Rings the target for half a minute. With `tT` the engine listens for digits of both sides. */
function dialplan(options: string): string {
  const dial = (more = '') => `Dial(PJSIP/${TARGET_NUMBER}@${TRUNK},30,${options}${more})\n same => n,Hangup()\n`;
  return [
    `[from-outside]\nexten => _+X.,1,${dial()}`,
    `exten => ${STREAMED_NUMBER},1,${STREAM}\n same => n,${dial('U(stream)')}`,
    `[stream]\nexten => s,1,${STREAM}\n same => n,Return()\n`,
    `[${RECORDED}]\nexten => s,1,MixMonitor(\${UNIQUEID}.wav)\n same => n,${dial()}`,
  ].join('');
}

const REFERENCE_MODULES = ['app_dial', 'app_mixmonitor', 'app_originate', 'app_chanspy', 'app_stack'];

function startReference(trunks: string, { streamsPort }: PeopleReady, options: string): Promise<TestEngine> {
  const modules = REFERENCE_MODULES.map((name) => `load = ${name}.so\n`);
  return startEngine({
    settings: { trunks },
    dialplaneUrl: `http://127.0.0.1:${streamsPort}`,
    files: { 'extensions.conf': dialplan(options), 'modules.conf': `${renderModules()}\n${modules.join('')}` },
  });
}

export async function openSipWorld(): Promise<SipWorld> {
  const postgres = await startBenchPostgres(COUNTING);
  const { child, message } = await startChild<PeopleReady>('./sip-people.ts', []);
  const trunks = JSON.stringify([{ name: 'main', host: '127.0.0.1', port: message.port }]);
  const { product, accounts, url } = await startBenchProduct(postgres.url, {
    names: ['Bench'],
    work: true,
    serveMedia: true,
    adapterKinds: [SIP_KIND, inProcessKind(({ simulated }) => simulated)],
  });
  const [account] = accounts as [(typeof accounts)[number]];
  const engines = {
    alone: await startReference(trunks, message, ''),
    keys: await startReference(trunks, message, 'tT'),
    ours: await startEngine({ dialplaneUrl: url, settings: { trunks } }),
  };
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  await client.connect();
  await addConnection(product.context, { capabilities: CARRIER_CAPABILITIES });
  const sip = { kind: 'sip', name: 'bench', ...engines.ours.connection, capabilities: ['voice'] } as const;
  await addConnection(product.context, sip);
  await product.connections.refresh();
  const isHeard = async () => {
    const { rows } = await client.query('select 1 as bench_own from sip_engines where ready_at is not null');
    return rows.length > 0;
  };
  await until('the engine is heard', isHeard, HEARD_MS_MAX);
  await fund({ context: product.context, account });
  const call = createCaller(url, account.live_key);
  return {
    ...{
      engines,
      client,
      url,
      call,
      postgresPid: postgres.pid,
      peoplePid: child.pid ?? Number.NaN,
      ...(await ringTarget(call)),
    },
    listJoined: async () => {
      const { rows } = await client.query("select id as bench_own from calls where status = 'in_progress'");
      return rows.map(({ bench_own }) => bench_own);
    },
    order: createOrders(child),
    close: async () => {
      await product.close();
      for (const engine of Object.values(engines)) await engine.close();
      await endChild(child);
      await client.end();
      await postgres.stop();
    },
  };
}

/** Buys a number that rings the target. */
async function ringTarget(call: Caller): Promise<Pick<SipWorld, 'number' | 'numberId'>> {
  const numberId = await buyNumber(call);
  const path = `/v1/phone_numbers/${numberId}`;
  const { tenant_id, phone_number } = await expectBody(call('GET', path));
  const ring = { type: 'ring', targets: [TARGET_NUMBER] };
  const closed_behavior = { type: 'voicemail', greeting_text: 'We are closed.' };
  const config = { tenant_id, name: 'Target', open_behavior: ring, closed_behavior };
  const { id: routing_config_id } = await expectBody(call('POST', '/v1/routing_configs', { body: config }));
  await expectBody(call('PATCH', path, { body: { routing_config_id } }));
  return { number: phone_number, numberId };
}

/** Returns a function that sends orders to the people. */
function createOrders(child: ChildProcess): SipWorld['order'] {
  const waiting = new Map<number, (report: PeopleReport) => void>();
  const { promise: gone, reject } = Promise.withResolvers<never>();
  gone.catch(() => undefined);
  child.on('exit', () => reject(new Error('the people have ended')));
  child.on('message', ({ id, of }: Numbered<PeopleReport>) => {
    waiting.get(id)?.(of);
    waiting.delete(id);
  });
  let last = 0;
  return async (of) => {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<PeopleReport>();
    waiting.set(id, resolve);
    child.send({ id, of } satisfies Numbered<PeopleOrder>);
    return await Promise.race([promise, gone]);
  };
}
