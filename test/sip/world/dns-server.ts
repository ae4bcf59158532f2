/** A provider's name server, with the records of a test (RFC 1035). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeAfterTests } from '../../support/close-after-tests.ts';

/** The name server that the engines of these tests use: `scripts/test-sip.ts` sets it. */
const NAME_SERVER = '127.0.0.153';
const DNS_PORT = 53;
const HEADER_BYTES = 12;
const TYPES = { A: 1, SRV: 33, NAPTR: 35 } as const;
const CLASS_INTERNET = 1;
/** The flags of an authoritative answer. */
const ANSWER_FLAGS = 0x8400;
const NO_SUCH_NAME = 3;

type DnsRecord =
  | { readonly type: 'A'; readonly address: string }
  /** RFC 2782. */
  | { readonly type: 'SRV'; readonly port: number; readonly target: string }
  /** RFC 3403; `replacement` is the name with the SRV records of the service. */
  | { readonly type: 'NAPTR'; readonly service: string; readonly replacement: string };

/** Starts the name server. Names without records do not exist. */
export async function startDnsServer(records: Readonly<Record<string, readonly DnsRecord[]>>): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => socket.send(answer(query, records), port, address));
  socket.bind(DNS_PORT, NAME_SERVER);
  await once(socket, 'listening');
  closeAfterTests(() => socket.close());
}

function answer(query: Buffer, records: Readonly<Record<string, readonly DnsRecord[]>>): Buffer {
  const { name, end } = readName(query);
  const question = query.subarray(HEADER_BYTES, end + 4);
  const known = Object.hasOwn(records, name) ? records[name] : undefined;
  const found = (known ?? []).filter(({ type }) => TYPES[type] === query.readUInt16BE(end));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(ANSWER_FLAGS | (known === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  return Buffer.concat([header, question, ...found.map((record) => renderRecord(name, record))]);
}

/** Reads the name of the only question, and the position of its end. */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function renderRecord(name: string, record: DnsRecord): Buffer {
  const data = renderData(record);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[record.type], 0);
  fixed.writeUInt16BE(CLASS_INTERNET, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([renderName(name), fixed, data]);
}

function renderData(record: DnsRecord): Buffer {
  switch (record.type) {
    case 'A':
      return Buffer.from(record.address.split('.').map(Number));
    case 'SRV':
      return Buffer.concat([numbers(0, 0, record.port), renderName(record.target)]);
    case 'NAPTR':
      return Buffer.concat([
        ...[numbers(0, 0), text('s'), text(record.service), text('')],
        renderName(record.replacement),
      ]);
  }
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

const text = (value: string) => Buffer.from([value.length, ...Buffer.from(value)]);

const renderName = (name: string) => Buffer.concat([...name.split('.').map(text), Buffer.from([0])]);
