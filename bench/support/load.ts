/** Sends texts at full speed over several connections, in its own process. Reports the results. */
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { percentile } from './postgres.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    key: { type: 'string' },
    from: { type: 'string' },
    connections: { type: 'string' },
    seconds: { type: 'string' },
    /** Ends after this many requests, or at the end of the time, whichever is first. */
    texts: { type: 'string', default: 'Infinity' },
    recipients: { type: 'string', default: '20000' },
  },
});
const endsAt = performance.now() + Number(values.seconds) * 1000;
const latenciesMs: number[] = [];
let failures = 0;
let left = Number(values.texts);

function nextRequest(): Buffer {
  const to = `+1602${String(2_000_000 + Math.floor(Math.random() * Number(values.recipients))).padStart(7, '0')}`;
  const body = JSON.stringify({
    from: values.from,
    to,
    body: 'Your appointment is tomorrow at 9:30. Reply C to confirm.',
  });
  return Buffer.from(
    `POST /v1/messages HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${values.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Sends one request at a time over a connection. Every reply has a Content-Length. */
function drive(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let text = '';
    const send = () => {
      left--;
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < head + 4 + length) return;
      if (!text.startsWith('HTTP/1.1 201')) failures++;
      text = '';
      const now = performance.now();
      latenciesMs.push(now - sentAt);
      if (now < endsAt && left > 0) send();
      else socket.end(resolve);
    });
    socket.on('error', reject);
    socket.on('connect', send);
  });
}

const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(values.connections) }, () => drive(connect(Number(values.port), '127.0.0.1'))),
);
const seconds = (performance.now() - startedAt) / 1000;
latenciesMs.sort((a, b) => a - b);
process.send?.({
  perSecond: latenciesMs.length / seconds,
  failures,
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
});
process.disconnect?.();
