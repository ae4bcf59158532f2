/** CSV files of different programs: encodings, delimiters, quotes, line ends. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type CsvRecord, openCsv } from './csv-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
let files = 0;

async function read(content: string | Uint8Array): Promise<CsvRecord[]> {
  files += 1;
  const path = join(folder, `${files}.csv`);
  writeFileSync(path, content);
  return await Array.fromAsync((await openCsv(path)).records());
}

const cellsOf = async (content: string | Uint8Array) => (await read(content)).map(({ cells }) => cells);

test('a text is read in the encoding that it has', async () => {
  const text = 'name,company\r\nJosé Núñez,Café € 5\r\n';
  const expected = [
    ['name', 'company'],
    ['José Núñez', 'Café € 5'],
  ];
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const [encoding, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', little],
    ['UTF-16 BE', Buffer.from(little).swap16()],
    ['Windows-1252', Buffer.from(text.replace('€', '\u0080'), 'latin1')],
  ] as const) {
    assert.deepEqual(await cellsOf(bytes), expected, encoding);
  }
});

test('a character on the border of two reads is one character', async () => {
  const name = 'é'.repeat(70_000);
  const rows = Array.from({ length: 10 }, () => name.slice(0, 20_000)).join('\n');
  assert.deepEqual(
    (await cellsOf(`x\n${rows}`)).slice(1),
    Array.from({ length: 10 }, () => [name.slice(0, 20_000)]),
  );
});

test('the delimiter is the one of the first line, outside of quotes', async () => {
  const expected = [
    ['a,b', 'c'],
    ['1', '2;3,4'],
  ];
  assert.deepEqual(await cellsOf('"a,b",c\n1,"2;3,4"\n'), expected);
  assert.deepEqual(await cellsOf('"a,b";c\n1;"2;3,4"\n'), expected);
  assert.deepEqual(await cellsOf('"a,b"\tc\n1\t2;3,4\n'), expected);
});

test('a record begins on the line that an editor shows, whatever line breaks there are', async () => {
  const text = 'a,b\r\n"x\r\ny","say ""hi"""\r\n\r\n5" pipe,z\nlast,one';
  assert.deepEqual(await read(text), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\r\ny', 'say "hi"'] },
    { line: 4, cells: [''] },
    { line: 5, cells: ['5" pipe', 'z'] },
    { line: 6, cells: ['last', 'one'] },
  ]);
});

test('a quote that is not closed is told with its line, and reads no more than a record can have', async () => {
  await assert.rejects(read('a,b\n1,2\n"3,4\n5,6\n'), /from line 3 on: a quote there is not closed/);
  const endless = `a,b\n1,2\n"${'x\n'.repeat(1_000_000)}`;
  await assert.rejects(read(endless), /from line 3 on: a quote there is not closed/);
});

test('what is no text is refused', async () => {
  await assert.rejects(read(Buffer.from('a,b\n', 'utf16le')), /is not a text in UTF-8/);
  await assert.rejects(openCsv(join(folder, 'none.csv')), /none\.csv cannot be read: ENOENT/);
});

test('a file of 50,000 lines is read in a small part of the memory that it would take', async () => {
  const path = join(folder, 'long.csv');
  const filling = 'x'.repeat(2_000);
  writeFileSync(path, 'name,note\n');
  for (let part = 0; part < 50; part += 1) {
    const lines = Array.from({ length: 1_000 }, (_, line) => `Person ${part * 1_000 + line},${filling}\n`);
    appendFileSync(path, lines.join(''));
  }
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.reader).then(async ({ openCsv }) => {
      let records = 0;
      for await (const _ of (await openCsv(workerData.path)).records()) records += 1;
      parentPort.postMessage(records);
    });`;
  const workerData = { reader: new URL('./csv-file.ts', import.meta.url).href, path };
  // The lines have 100 MB. A reader that keeps them ends with ERR_WORKER_OUT_OF_MEMORY.
  const worker = new Worker(code, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 40 } });
  const records = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.equal(records, 50_001);
  await worker.terminate();
});
