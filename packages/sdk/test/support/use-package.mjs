/**
 * Uses the installed package in plain JavaScript, on the Node that runs it. package.test.ts copies it into a project.
 * Arguments: address of a server, its test key, the id of a number to send from, the path of the package ws.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Dialplane, encodeMulaw, MediaConnection, Realtime, realtimeFromApi, webhooks } from '@dialplane/sdk';
import { TestMode } from '@dialplane/sdk/testing';

const [baseUrl, apiKey, from, pathOfWs] = process.argv.slice(2);
const client = new Dialplane({ apiKey, baseUrl });
const person = new TestMode(client).phone('+16025550143');
const WebSocket = globalThis.WebSocket ?? createRequire(import.meta.url)(pathOfWs).WebSocket;
const socketsOf = (path) => baseUrl.replace('http', 'ws') + path;

// A text, its answer as an event, and the list of both.
const source = realtimeFromApi(client);
const token = async () => ({ ...(await source.token()), url: socketsOf('/v1/realtime') });
const realtime = new Realtime({ ...source, token, WebSocket });
const received = new Promise((resolve) => realtime.on('message.received', resolve));
const open = new Promise((resolve) => realtime.on('open', resolve));
realtime.connect();
await open;
await client.messages.send({ from, to: person.number, body: `From ${process.version}` });
await person.waitForText(process.version);
await person.reply('Yes');
assert.equal((await received).data.body, 'Yes');
realtime.close();
const bodies = [];
for await (const message of client.messages.list({ limit: 1 })) bodies.push(message.body);
assert.ok(bodies.includes('Yes'));

// Refusals, lost connections, time-outs and signals.
await assert.rejects(client.messages.get('msg_unknown'), { code: 'message_not_found', status: 404 });
const answers = [
  (request) => request.socket.destroy(),
  (request, reply) => reply.writeHead(200, { 'content-length': 100 }).write('{"half', () => request.socket.destroy()),
  (_request, reply) => reply.end('{"object":"balance"}'),
];
const failing = createServer((request, reply) => (answers.shift() ?? (() => undefined))(request, reply));
failing.listen(0, '127.0.0.1');
await once(failing, 'listening');
const unlucky = new Dialplane({ apiKey, baseUrl: `http://127.0.0.1:${failing.address().port}` });
assert.equal((await unlucky.balance.get()).object, 'balance');
await assert.rejects(unlucky.balance.get({ timeoutMs: 100, retriesMax: 0 }), { code: 'timeout' });
const reason = new Error('left');
const controller = new AbortController();
setTimeout(() => controller.abort(reason), 50);
await assert.rejects(unlucky.balance.get({ signal: controller.signal }), (error) => error === reason);
failing.closeAllConnections();
failing.close();
await assert.rejects(unlucky.balance.get({ retriesMax: 0 }), { code: 'connection_failed' });

// A signature.
const secret = 'whsec_DNtU4ovYuODtpF+hSTsymXRPViAn/+H7MwT0t08ALuY=';
const headers = await webhooks.sign('{"type":"balance.low"}', secret);
assert.equal((await webhooks.unwrap(Buffer.from('{"type":"balance.low"}'), headers, secret)).type, 'balance.low');
await assert.rejects(webhooks.unwrap('{}', headers, secret), { code: 'invalid_signature' });

// Audio in both directions.
const call = await client.calls.create({ from, to: '+16025550143', connect_to: '+16025550117' });
while ((await client.calls.get(call.id)).status !== 'in_progress') {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const stream = await client.mediaStreams.create(call.id, { direction: 'bidirectional' });
const media = new MediaConnection({ ...stream, url: socketsOf(new URL(stream.url).pathname) }, { WebSocket });
const heard = new Promise((resolve) => {
  media.on('audio', ({ track, pcm }) => {
    if (track === 'outbound' && pcm.every((sample) => sample > 900 && sample < 1_100)) resolve(pcm.length);
  });
});
await media.connect();
assert.equal(await media.play(encodeMulaw(new Int16Array(1_600).fill(1_000))), 'played');
assert.equal(await heard, 160);
media.close();

// The program ends without a call of `exit`: nothing is left open.
console.log(`used by ${process.version.split('.')[0]}`);
