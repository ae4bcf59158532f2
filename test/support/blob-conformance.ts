/** The behavior of every blob store, as one suite that each adapter passes. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { BlobStore, ByteRange, OpenBlobStore } from '../../src/blobs/blob-store.ts';
import { checkProperty } from './property.ts';
import { sampleBytes } from './sample-bytes.ts';

const WAV = { contentType: 'audio/wav' };

/** Returns a new key. */
export const freshKey = () => `recordings/1/${randomUUID()}.wav`;

export async function readBlob(store: BlobStore, key: string, range?: ByteRange): Promise<Buffer | undefined> {
  const blob = await store.get(key, range);
  return blob === undefined ? undefined : buffer(blob.stream);
}

/** @param options `endMin`: the smallest end of a tested part */
export function blobConformance(name: string, open: () => OpenBlobStore, { endMin = 0 } = {}): void {
  describe(`${name}`, () => {
    test('keeps blobs byte for byte, with their size', async () => {
      const store = open();
      for (const length of [0, 1, 44, 100_000]) {
        const key = freshKey();
        const bytes = sampleBytes(length);
        await store.put(key, bytes, WAV);
        assert.equal(await store.size(key), length);
        const blob = await store.get(key);
        assert.equal(blob?.size, length);
        assert.deepEqual(await readBlob(store, key), bytes);
        blob?.stream.destroy();
      }
    });

    test('keeps the bytes of a file, however many', async () => {
      const store = open();
      const key = freshKey();
      const bytes = sampleBytes(3_000_000);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await store.putFile(key, { size: bytes.length, sha256, open: () => Readable.from([bytes]) }, WAV);
      assert.deepEqual(await readBlob(store, key), bytes);
    });

    test('keeps a blob that is a view of a larger buffer', async () => {
      const store = open();
      const key = freshKey();
      await store.put(key, new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4), WAV);
      assert.deepEqual(await readBlob(store, key), Buffer.of(1, 2, 3));
    });

    test('returns any part of a blob', async () => {
      const store = open();
      const key = freshKey();
      const bytes = sampleBytes(1_000);
      await store.put(key, bytes, WAV);
      const ranges = fc
        .tuple(fc.nat(999), fc.nat(999))
        .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b, endMin) }));
      await checkProperty(
        fc.asyncProperty(ranges, async (range) => {
          const part = await store.get(key, range);
          assert.equal(part?.size, 1_000);
          assert.deepEqual(await buffer(part.stream), bytes.subarray(range.start, range.end + 1));
        }),
        { runs: 25 },
      );
    });

    test('refuses a part that is not within the blob', async () => {
      const store = open();
      const key = freshKey();
      await store.put(key, sampleBytes(10), WAV);
      for (const range of [
        { start: 10, end: 10 },
        { start: 5, end: 10 },
        { start: 3, end: 2 },
        { start: -1, end: 2 },
      ]) {
        await assert.rejects(store.get(key, range), RangeError, JSON.stringify(range));
      }
    });

    test('returns the last bytes that were put under a key, even after concurrent puts', async () => {
      const store = open();
      const key = freshKey();
      await store.put(key, Buffer.from('first, and longer'), WAV);
      await Promise.all([store.put(key, Buffer.from('second'), WAV), store.put(key, Buffer.from('second'), WAV)]);
      assert.equal((await readBlob(store, key))?.toString(), 'second');
    });

    test('finds nothing under an unknown key, and removing it is not an error', async () => {
      const store = open();
      const key = freshKey();
      for (let round = 0; round < 2; round++) {
        assert.equal(await store.get(key), undefined);
        assert.equal(await store.get(key, { start: 0, end: 1 }), undefined);
        assert.equal(await store.size(key), undefined);
        await store.remove(key);
        if (round === 0) {
          await store.put(key, Buffer.of(1), WAV);
          await store.remove(key);
        }
      }
    });

    test('refuses a key that could lead out of the store', async () => {
      const store = open();
      const bad = [
        '',
        '/',
        '..',
        '../x',
        'a/../../x',
        'a//b',
        '/etc/passwd',
        'a/',
        '.a',
        'a/.b',
        'A',
        'a\\b',
        'a\0b',
        'ä',
      ];
      for (const key of [...bad, 'a'.repeat(201)]) {
        await assert.rejects(store.put(key, Buffer.of(1), WAV), RangeError, key);
        await assert.rejects(store.get(key), RangeError, key);
        await assert.rejects(store.size(key), RangeError, key);
        await assert.rejects(store.remove(key), RangeError, key);
      }
    });

    test('returns its location from a successful check', async () => {
      assert.match(await open().check(), /^in /);
    });

    test('is not blocked by readers that stop midway', async () => {
      const store = open();
      const key = freshKey();
      await store.put(key, sampleBytes(2_000_000), WAV);
      for (let i = 0; i < 40; i++) (await store.get(key))?.stream.destroy();
      assert.equal((await readBlob(store, key))?.length, 2_000_000);
    });
  });
}
