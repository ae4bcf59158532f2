// A webhook receiver in one file: verifies the signature of each delivery and prints the event.
//   node examples/receiver.mjs SECRET [PORT]
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [secret, port = '9000'] = process.argv.slice(2);
if (secret === undefined) {
  console.error('usage: node examples/receiver.mjs SECRET [PORT]');
  process.exit(2);
}

/** Returns true if the header was made from this body with our secret, within the last five minutes. */
function isGenuine(header, body) {
  const parts = header.split(',').map((part) => part.split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(value ?? '', 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(String(request.headers['service-signature'] ?? ''), body)) {
    console.log('refused: the signature does not match');
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body);
  console.log(`${event.type}  ${event.data.id ?? event.resource_id}  signature verified`);
  response.writeHead(200).end();
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
