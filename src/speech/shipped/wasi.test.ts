import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryFile } from './memory-file.ts';
import { wasiFunctions } from './wasi.ts';

/** A program's memory of one page, and the functions that it calls. */
function start(files: Record<string, Uint8Array> = {}, fileBytesMax = 1_000) {
  const { buffer } = new WebAssembly.Memory({ initial: 1 });
  const view = new DataView(buffer);
  const kept = new Map(Object.entries(files).map(([name, bytes]) => [name, createMemoryFile(bytes.length, bytes)]));
  const wasi = wasiFunctions({ args: ['flite', '-o', 'ünï'], files: kept, fileBytesMax }, () => buffer);
  const put = (at: number, text: string) => new Uint8Array(buffer).set(Buffer.from(text), at);
  const open = (name: string, flags = 0, fdFlags = 0) => {
    put(100, name);
    const code = wasi.path_open(3, 1, 100, name.length, flags, 0n, 0n, fdFlags, 200);
    return code === 0 ? view.getUint32(200, true) : -code;
  };
  /** Stores a list of two parts of the memory, of 3 and of 5 bytes, from 400 on. */
  const list = () => {
    for (const [i, value] of [400, 3, 403, 5].entries()) view.setUint32(300 + 4 * i, value, true);
    return [300, 2, 200] as const;
  };
  const textAt = (at: number, length: number) => Buffer.from(buffer, at, length).toString();
  return { wasi, view, kept, put, open, list, textAt };
}

test('arguments end in a zero byte, and their addresses follow each other', () => {
  const { wasi, view, textAt } = start();
  wasi.args_sizes_get(0, 4);
  assert.deepEqual([view.getUint32(0, true), view.getUint32(4, true)], [3, 6 + 3 + 6]);
  wasi.args_get(8, 64);
  assert.deepEqual(
    [0, 1, 2].map((i) => view.getUint32(8 + 4 * i, true)),
    [64, 70, 73],
  );
  assert.equal(textAt(64, 15), 'flite\0-o\0ünï\0');
});

test('a file is read in parts, to its end', () => {
  const { wasi, view, open, list, textAt } = start({ text: Buffer.from('0123456789') });
  const fd = open('text');
  assert.equal(wasi.fd_read(fd, ...list()), 0);
  assert.deepEqual([view.getUint32(200, true), textAt(400, 8)], [8, '01234567']);
  wasi.fd_read(fd, ...list());
  assert.deepEqual([view.getUint32(200, true), textAt(400, 2)], [2, '89']);
  wasi.fd_read(fd, ...list());
  assert.equal(view.getUint32(200, true), 0);
});

test('a file is written, and again over its start and after its end', () => {
  const { wasi, view, kept, put, open, list } = start();
  put(400, 'abcdefgh');
  const fd = open('speech', 1 | 8);
  wasi.fd_write(fd, ...list());
  wasi.fd_seek(fd, 2n, 0, 208);
  wasi.fd_write(fd, ...list());
  wasi.fd_seek(fd, -1n, 1, 208);
  assert.equal(view.getBigUint64(208, true), 9n);
  wasi.fd_close(fd);
  wasi.fd_write(open('speech', 0, 1), ...list());
  assert.equal(Buffer.from(kept.get('speech')?.content() ?? []).toString(), 'ababcdefghabcdefgh');
  open('speech', 8);
  assert.equal(kept.get('speech')?.size(), 0);
});

test('a file does not grow beyond its bound', () => {
  const { wasi, open, list } = start({}, 12);
  const fd = open('speech', 1);
  wasi.fd_write(fd, ...list());
  assert.throws(() => wasi.fd_write(fd, ...list()), /more than 12 bytes/);
});

test('the program finds its files alone, and no other place', () => {
  const { wasi, open, list } = start({ text: Buffer.from('x') });
  assert.equal(open('/etc/passwd'), -44);
  assert.equal(wasi.fd_prestat_get(4, 0), 8);
  assert.equal(wasi.fd_read(0, ...list()), 8);
  assert.equal(wasi.fd_write(9, ...list()), 8);
  assert.equal(wasi.fd_close(9), 8);
  assert.equal(wasi.fd_seek(1, 0n, 0, 0), 70);
});

test('what the program says on its standard streams is dropped', () => {
  const { wasi, view, list } = start();
  assert.equal(wasi.fd_write(2, ...list()), 0);
  assert.equal(view.getUint32(200, true), 8);
});
