/**
 * A webhook receiver for benchmarks, in its own process. The path decides its behaviour: `/quick/…` answers
 * immediately, `/slow/…` after 9 s, `/dead/…` never. GET `/report` returns the arrivals since the last report. GET
 * `/last` returns the last request. If the parent sends an `Expected`, the receiver replies when that number has
 * arrived since the last report.
 */
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

const SLOW_MS = 9_000;

/**
 * By path: the number of deliveries, the number of deliveries out of order, and the time of the last one (epoch, ms).
 */
export type Report = Record<string, { count: number; violations: number; lastAtMs: number; latenciesMs: number[] }>;

export type Expected = { path: string; count: number };
export type LastRequest = { headers: IncomingHttpHeaders; body: string };

let report: Report = {};
let expected: Expected | undefined;
let last: LastRequest | undefined;
const lastSequence = new Map<string, number>();

function note(path: string, head: string): void {
  const seen = report[path] ?? { count: 0, violations: 0, lastAtMs: 0, latenciesMs: [] };
  report[path] = seen;
  seen.count++;
  seen.lastAtMs = Date.now();
  const resource = `${path} ${/"resource_id":"([^"]*)"/.exec(head)?.[1]}`;
  const sequence = Number(/"sequence":(\d+)/.exec(head)?.[1]);
  if (sequence !== (lastSequence.get(resource) ?? 0) + 1) seen.violations++;
  lastSequence.set(resource, sequence);
  const createdAt = /"created_at":"([^"]*)"/.exec(head)?.[1];
  seen.latenciesMs.push(seen.lastAtMs - Date.parse(createdAt ?? ''));
  tellIfReached();
}

function tellIfReached(): void {
  if (expected === undefined || (report[expected.path]?.count ?? 0) < expected.count) return;
  expected = undefined;
  process.send?.('reached');
}

const server = http.createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/last') return response.end(JSON.stringify(last));
  if (request.method === 'GET') {
    response.end(JSON.stringify(report));
    report = {};
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    last = { headers: request.headers, body };
    note(path, body.slice(0, 400));
    if (path.startsWith('/quick')) response.end('ok');
    if (path.startsWith('/slow')) setTimeout(() => response.end('ok'), SLOW_MS);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('message', (sent) => {
  expected = sent as Expected;
  tellIfReached();
});
process.on('disconnect', () => process.exit());
