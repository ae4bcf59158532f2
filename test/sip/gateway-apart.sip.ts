/**
 * The audio of calls goes to a gateway in a separate process, which is killed in the middle of calls. The calls
 * continue.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { sql, until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { freePort } from '../support/ports.ts';
import { type ProductProcess, startGateway } from '../support/product-process.ts';
import { useSipSite } from './sip-site.ts';

const LIMIT_MS = 40_000;

/** The port of every gateway. Each starts after the end of the previous one. */
const gatewayPort = await freePort();
const site = await useSipSite({ gatewayPort });
const { db, get, make, people, connect, hearEachOther, untilIs } = site;

let gateway: ProductProcess | undefined;
closeAfterTests(async () => await gateway?.kill());

/** Kills the previous gateway, and starts another one. Resolves when only the new one counts as up. */
async function startAnother(): Promise<void> {
  await gateway?.kill();
  gateway = await startGateway({ databaseUrl: site.databaseUrl, port: gatewayPort });
  const nodes = `select 1 from gateway_nodes where seen_at > clock_timestamp() - interval '10 s'`;
  await until('one gateway is up', async () => (await sql(db, nodes)).length === 1, LIMIT_MS);
}
beforeEach(startAnother);

/** Connects a client to a stream of a call, and waits until the client has audio of both sides. */
async function listenTo(id: string) {
  const stream = await make(`/calls/${id}/streams`, {});
  const listener = openMediaClient(`${stream.url}?token=${stream.token}`);
  listener.socket.on('error', () => undefined);
  let end: Awaited<typeof listener.closed> | undefined;
  void listener.closed.then((closed) => {
    end = closed;
  });
  const hears = () => {
    assert.equal(end, undefined, `its last message: ${JSON.stringify(listener.messages.at(-1))}`);
    return (['inbound', 'outbound'] as const).every((track) => listener.audioOf(track).length > 8_000);
  };
  await until('the stream has audio of both sides', hears, LIMIT_MS);
  return listener;
}

test('people hear each other on while the gateway is killed, and a new stream has the audio of the next one', async () => {
  const placed = await connect();
  const listener = await listenTo(placed.id);
  await startAnother();
  await listener.closed;
  await until('they still hear each other', () => hearEachOther(placed), LIMIT_MS);
  assert.equal((await get(`/calls/${placed.id}`)).status, 'in_progress');
  const again = await listenTo(placed.id);
  people.hangUp(placed.customer);
  await untilIs(placed.id, { status: 'completed', outcome: 'answered' });
  await again.closed;
  await site.assertEndedOnce(placed.id, { billed: 1 });
});

test('a call whose gateway is killed and does not come back is hung up, and leaves nothing at the engine', async () => {
  const placed = await connect();
  const listener = await listenTo(placed.id);
  await gateway?.kill();
  await listener.closed;
  await make(`/calls/${placed.id}/hangup`, {}, 200);
  await untilIs(placed.id, { status: 'completed', outcome: 'answered' });
  await site.assertEndedOnce(placed.id, { billed: 1 });
});
