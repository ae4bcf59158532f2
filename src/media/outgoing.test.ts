import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { SILENT_FRAME } from './mixing.ts';
import { createOutgoing, UNWRITTEN_BYTES_MAX, WAITING_TEXTS_MAX, WAITING_TICKS_MAX } from './outgoing.ts';

/** A socket whose other side reads when told to. */
function connect() {
  const writes: Buffer[] = [];
  let held: (() => void) | undefined;
  let reading = true;
  const connection = new Writable({
    highWaterMark: 16 * 1024,
    write: (chunk: Buffer, _encoding, done) => {
      writes.push(chunk);
      if (reading) done();
      else held = done;
    },
  });
  const messages = () => {
    const bytes = Buffer.concat(writes);
    const texts: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const short = bytes[at + 1] as number;
      const header = short < 126 ? 2 : 4;
      const length = short < 126 ? short : bytes.readUInt16BE(at + 2);
      texts.push(bytes.toString('utf8', at + header, at + header + length));
      at += header + length;
    }
    return texts.map((text) => JSON.parse(text));
  };
  return {
    connection: connection as unknown as Parameters<typeof createOutgoing>[0],
    writes,
    messages,
    stall: () => {
      reading = false;
    },
    read: () => {
      reading = true;
      held?.();
    },
  };
}

const tick = (seq: number) =>
  (['inbound', 'outbound'] as const).map((track) => ({ track, seq, timestampMs: (seq - 1) * 20, frame: SILENT_FRAME }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('both frames of a tick are one write', () => {
  const { connection, writes, messages } = connect();
  const outgoing = createOutgoing(connection, () => true);
  outgoing.media(tick(1));
  outgoing.media(tick(2));
  assert.equal(writes.length, 2);
  assert.deepEqual(
    messages().map(({ track, seq }) => `${track} ${seq}`),
    ['inbound 1', 'outbound 1', 'inbound 2', 'outbound 2'],
  );
});

describe('a client that reads nothing', () => {
  test('costs a bounded amount of memory, however long it goes on', () => {
    const { connection, stall } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 50_000; seq++) outgoing.media(tick(seq));
    assert.ok(connection.writableLength <= UNWRITTEN_BYTES_MAX + 1_000);
    const written = Math.ceil(UNWRITTEN_BYTES_MAX / 550);
    assert.ok(outgoing.droppedFrames >= 2 * (50_000 - WAITING_TICKS_MAX - 2 * written));
  });

  test('has lost the oldest frames when it reads again: one gap in seq, and the latest at the end', async () => {
    const { connection, stall, read, messages } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 1_000; seq++) outgoing.media(tick(seq));
    read();
    await turn();
    outgoing.media(tick(1_001));
    const seqs = messages()
      .filter(({ track }) => track === 'inbound')
      .map(({ seq }) => seq as number);
    const gaps = seqs.filter((seq, i) => i > 0 && seq !== (seqs[i - 1] as number) + 1);
    assert.deepEqual(gaps, [1_000 - WAITING_TICKS_MAX + 1]);
    assert.equal(seqs.at(-1), 1_001);
    assert.equal(seqs.length + outgoing.droppedFrames / 2, 1_001);
  });

  test('loses no other message, and has it in its place', async () => {
    const { connection, stall, read, messages } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 500; seq++) {
      outgoing.media(tick(seq));
      if (seq === 100 || seq === 450) outgoing.text(`{"event":"mark","name":"${seq}"}`);
    }
    read();
    await turn();
    outgoing.media(tick(501));
    const texts = messages();
    const place = texts.findIndex(({ name }) => name === '450');
    assert.equal(texts[place - 1].seq, 450);
    assert.equal(texts[place + 1].seq, 451);
    assert.ok(texts.some(({ name }) => name === '100'));
  });

  test('is told of when far too many messages wait that cannot be left out', () => {
    const { connection, stall } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 200; seq++) outgoing.media(tick(seq));
    for (let n = 0; n < WAITING_TEXTS_MAX; n++) assert.ok(outgoing.text('{}'));
    assert.equal(outgoing.text('{}'), false);
  });

  test('is not made to wait for old audio when the stream ends', async () => {
    const { connection, stall, read, messages } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 500; seq++) outgoing.media(tick(seq));
    outgoing.text('{"event":"mark","name":"m"}');
    outgoing.last('{"event":"stop"}');
    outgoing.media(tick(501));
    read();
    await turn();
    const texts = messages();
    assert.deepEqual(
      texts.slice(-2).map(({ event }) => event),
      ['mark', 'stop'],
    );
    assert.ok(texts.length < 200);
  });
});

test('nothing is written to a socket that is closing', () => {
  const { connection, writes } = connect();
  const outgoing = createOutgoing(connection, () => false);
  outgoing.media(tick(1));
  outgoing.text('{}');
  outgoing.last('{}');
  assert.equal(writes.length, 0);
});
