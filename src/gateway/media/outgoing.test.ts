import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { textFrame } from '../../http/sockets/text-frame.ts';
import {
  createOutgoing,
  mediaText,
  PING_TICKS,
  UNWRITTEN_BYTES_MAX,
  WAITING_TEXTS_MAX,
  WAITING_TICKS_MAX,
  WINDOW_TICKS,
} from './outgoing.ts';

/** A connection whose client reads, and answers pings, only when the test says so. */
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
  const frames = () => {
    const bytes = Buffer.concat(writes);
    const all: { isPing: boolean; text: string }[] = [];
    for (let at = 0; at < bytes.length; ) {
      const short = bytes[at + 1] as number;
      const header = short < 126 ? 2 : 4;
      const length = short < 126 ? short : bytes.readUInt16BE(at + 2);
      all.push({ isPing: bytes[at] === 0x89, text: bytes.toString('utf8', at + header, at + header + length) });
      at += header + length;
    }
    return all;
  };
  const textsOf = (isPing: boolean) =>
    frames()
      .filter((frame) => frame.isPing === isPing)
      .map(({ text }) => text);
  const messages = () => textsOf(false).map((text) => JSON.parse(text));
  return {
    connection: connection as unknown as Parameters<typeof createOutgoing>[0],
    writes,
    messages,
    seqs: () =>
      messages()
        .filter(({ track }) => track === 'inbound')
        .map(({ seq }) => seq as number),
    pings: () => textsOf(true),
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

const pong = (text: string) => Buffer.from(text);

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
  test('takes a bounded amount of memory, however long it lasts', () => {
    const { connection, stall } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 50_000; seq++) outgoing.media(tick(seq));
    assert.ok(connection.writableLength <= UNWRITTEN_BYTES_MAX + 1_000);
    const written = Math.ceil(UNWRITTEN_BYTES_MAX / 550);
    assert.ok(outgoing.droppedFrames >= 2 * (50_000 - WAITING_TICKS_MAX - 2 * written));
  });

  test('loses the oldest frames: when it reads again there is one gap in seq, and the newest frame is last', async () => {
    const { connection, stall, read, seqs: seqsOf, pings } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 1_000; seq++) outgoing.media(tick(seq));
    read();
    await turn();
    outgoing.acknowledge(pong(pings().at(-1) as string));
    outgoing.media(tick(1_001));
    const seqs = seqsOf();
    const gaps = seqs.filter((seq, i) => i > 0 && seq !== (seqs[i - 1] as number) + 1);
    assert.deepEqual(gaps, [1_000 - WAITING_TICKS_MAX + 1]);
    assert.equal(seqs.at(-1), 1_001);
    assert.equal(seqs.length + outgoing.droppedFrames / 2, 1_001);
  });

  test('loses no other message, and gets each in its place', async () => {
    const { connection, stall, read, messages, pings } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 500; seq++) {
      outgoing.media(tick(seq));
      if (seq === 100 || seq === 470) outgoing.text(`{"event":"mark","name":"${seq}"}`);
    }
    read();
    await turn();
    outgoing.acknowledge(pong(pings().at(-1) as string));
    outgoing.media(tick(501));
    const texts = messages();
    const place = texts.findIndex(({ name }) => name === '470');
    assert.equal(texts[place - 1].seq, 470);
    assert.equal(texts[place + 1].seq, 471);
    assert.ok(texts.some(({ name }) => name === '100'));
  });

  test('is reported when too many messages wait that cannot be dropped', () => {
    const { connection, stall } = connect();
    stall();
    const outgoing = createOutgoing(connection, () => true);
    for (let seq = 1; seq <= 200; seq++) outgoing.media(tick(seq));
    for (let n = 0; n < WAITING_TEXTS_MAX; n++) assert.ok(outgoing.text('{}'));
    assert.equal(outgoing.text('{}'), false);
  });

  test('gets the end of the stream without old audio before it', async () => {
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

describe('pings among the frames', () => {
  const startOpen = () => {
    const side = connect();
    const outgoing = createOutgoing(side.connection, () => true);
    let seq = 0;
    const say = (ticks: number) => {
      for (let n = 0; n < ticks; n++) outgoing.media(tick(++seq));
    };
    return { ...side, outgoing, say };
  };

  test('carry, every half second, the count of ticks before them', () => {
    const { say, pings, outgoing } = startOpen();
    say(PING_TICKS * 3 + 1);
    assert.deepEqual(pings(), ['25', '50', '75']);
    outgoing.ping();
    assert.equal(pings().at(-1), '76');
  });

  test('that are answered in time delay no frame', () => {
    const { say, seqs, pings, outgoing } = startOpen();
    for (let half = 1; half <= 100; half++) {
      say(PING_TICKS);
      // The answer comes a second after its ping.
      const answered = pings()[half - 3];
      if (answered !== undefined) outgoing.acknowledge(pong(answered));
    }
    assert.equal(seqs().length, 100 * PING_TICKS);
    assert.equal(outgoing.droppedFrames, 0);
  });

  test('that are not answered stop the frames at the window; then the newest are kept', () => {
    const { say, seqs, outgoing } = startOpen();
    say(1_000);
    assert.equal(seqs().at(-1), WINDOW_TICKS);
    assert.equal(outgoing.droppedFrames, 2 * (1_000 - WINDOW_TICKS - WAITING_TICKS_MAX));
    outgoing.acknowledge(pong('100'));
    assert.deepEqual(
      seqs().slice(WINDOW_TICKS),
      Array.from({ length: WAITING_TICKS_MAX }, (_, n) => 1_000 - WAITING_TICKS_MAX + 1 + n),
    );
  });

  test('that a slow client answers one by one each release as many frames', () => {
    const { say, seqs, outgoing } = startOpen();
    say(1_000);
    outgoing.acknowledge(pong('25'));
    assert.equal(seqs().length, WINDOW_TICKS + 25);
    outgoing.acknowledge(pong('25'));
    assert.equal(seqs().length, WINDOW_TICKS + 25);
    outgoing.acknowledge(pong('75'));
    assert.equal(seqs().length, WINDOW_TICKS + WAITING_TICKS_MAX);
  });

  test('may be answered with other bytes: each pong then stands for one ping', () => {
    const { say, seqs, outgoing } = startOpen();
    say(1_000);
    for (const [index, bytes] of ['', 'hello'].entries()) {
      outgoing.acknowledge(pong(bytes));
      assert.equal(seqs().length, WINDOW_TICKS + PING_TICKS * (index + 1));
    }
  });

  test('cannot be answered before they were sent', () => {
    const { say, seqs, outgoing } = startOpen();
    outgoing.acknowledge(pong('1000000'));
    say(1_000);
    assert.equal(seqs().length, WINDOW_TICKS);
  });

  test('delay other messages in their place, but never the last of a stream', () => {
    const { say, messages, outgoing } = startOpen();
    say(1_000);
    outgoing.text('{"event":"mark"}');
    assert.equal(messages().at(-1).event, 'media');
    outgoing.last('{"event":"stop"}');
    assert.deepEqual(
      messages()
        .slice(-2)
        .map(({ event }) => event),
      ['mark', 'stop'],
    );
  });
});

test('nothing is written to a socket that is closing', () => {
  const { connection, writes } = connect();
  const outgoing = createOutgoing(connection, () => false);
  outgoing.media(tick(1));
  outgoing.text('{}');
  outgoing.ping();
  outgoing.last('{}');
  assert.equal(writes.length, 0);
});

/** Parses one unmasked text message (RFC 6455, 5.2). */
function parse(bytes: Buffer): { text: string; rest: Buffer } {
  assert.equal(bytes[0], 0x81);
  const short = bytes[1] as number;
  const header = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = header === 2 ? short : header === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { text: bytes.toString('utf8', header, header + length), rest: bytes.subarray(header + length) };
}

test('a media message is one WebSocket message with exactly the documented fields', () => {
  checkProperty(
    fc.property(
      fc.uint8Array({ minLength: 160, maxLength: 160 }),
      fc.nat(),
      fc.constantFrom('inbound', 'outbound'),
      (frame, index, track) => {
        const message = { track, seq: index + 1, timestampMs: index * 20, frame };
        const { text, rest } = parse(Buffer.from(mediaText(message), 'latin1'));
        assert.equal(rest.length, 0);
        assert.deepEqual(JSON.parse(text), {
          event: 'media',
          track,
          seq: index + 1,
          timestamp_ms: index * 20,
          payload: Buffer.from(frame).toString('base64'),
        });
      },
    ),
  );
});

test('base64 of any length is padded correctly', () => {
  for (const length of [158, 159, 160, 161]) {
    const frame = Uint8Array.from({ length }, (_, i) => i);
    const bytes = Buffer.from(mediaText({ track: 'inbound', seq: 1, timestampMs: 0, frame }), 'latin1');
    assert.equal(JSON.parse(parse(bytes).text).payload, Buffer.from(frame).toString('base64'));
  }
});

test('after a century of audio a media message is framed as before', () => {
  const [seq, timestampMs] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const frame = new Uint8Array(160);
  const { text, rest } = parse(Buffer.from(mediaText({ track: 'outbound', seq, timestampMs, frame }), 'latin1'));
  assert.equal(rest.length, 0);
  assert.equal(JSON.parse(text).seq, seq);
});

test('a text of any length is one WebSocket message', () => {
  for (const length of [0, 125, 126, 65_535, 65_536]) {
    const { text, rest } = parse(textFrame('é'.repeat(Math.floor(length / 2)) + 'x'.repeat(length % 2)));
    assert.equal(Buffer.byteLength(text), length);
    assert.equal(rest.length, 0);
  }
});
