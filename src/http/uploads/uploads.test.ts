import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { gate } from '../../../test/support/jobs.ts';
import type { Api } from '../edge/types.ts';
import { acceptUploads, type UploadedFile } from './uploads.ts';

const app = fastify();
/** What the look-up of the key waits for. */
let keyIsFound: Promise<unknown> = Promise.resolve();
let lookUp = Promise.withResolvers<net.Socket>();
let lookupsEnded = 0;
app.decorateRequest('scope', null as never);
app.addHook('onRequest', async (request) => {
  lookUp.resolve(request.raw.socket);
  await keyIsFound;
  Object.assign(request, { scope: { ledgerId: 7 } });
  lookupsEnded++;
});
acceptUploads(app as unknown as Api, (scope) =>
  scope.post('/files', async (request) => ({ bytes: (request.body as UploadedFile | undefined)?.bytes.length })),
);
await app.listen({ host: '127.0.0.1', port: 0 });
closeAfterTests(() => app.close());
const { port } = app.server.address() as AddressInfo;

/** Waits for a turn of the event loop at a time until the condition is true. */
async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('clients that leave while their key is looked up hold no place', async () => {
  for (let round = 0; round < 4; round++) {
    const found = gate();
    keyIsFound = found.opened;
    const endedBefore = lookupsEnded;
    lookUp = Promise.withResolvers();
    const client = net.connect(port, '127.0.0.1');
    client.write('POST /files HTTP/1.1\r\nhost: x\r\ncontent-type: audio/wav\r\ncontent-length: 5\r\n\r\nhello');
    const connection = await lookUp.promise;
    client.destroy();
    await once(connection, 'close');
    found.open();
    await turnsUntil(() => lookupsEnded > endedBefore);
  }
  const reply = await fetch(`http://127.0.0.1:${port}/files`, {
    method: 'POST',
    headers: { 'content-type': 'audio/wav' },
    body: 'hello',
  });
  assert.deepEqual([reply.status, await reply.json()], [200, { bytes: 5 }]);
});
