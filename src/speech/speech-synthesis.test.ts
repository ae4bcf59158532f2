import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { heardDigits } from '../audio/detect-digits.ts';
import { powerAt, powerOf } from '../audio/goertzel.ts';
import { durationMsOf } from '../audio/pcm.ts';
import { createSynthesizer, synthesizerName, tonesFor } from './speech-synthesis.ts';

const log = pino({ level: 'silent' });
const ABSENT = '/nonexistent/espeak-ng';
const noSpeech = (await synthesizerName()) === 'espeak-ng' ? false : 'espeak-ng is not installed here: NOT TESTED';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dialplane-speech-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A program in place of espeak-ng: `speak` gets the text and writes to standard output, once it is not asked for its version. */
async function program(name: string, speak: string): Promise<string> {
  const path = join(folder, name);
  const wav = JSON.stringify(new URL('../audio/wav.ts', import.meta.url).href);
  const source = [
    `#!${process.execPath}`,
    `import { readFileSync, appendFileSync } from 'node:fs';`,
    `import { encodeWav } from ${wav};`,
    `if (process.argv.includes('--version')) { console.log('version 9.8'); process.exit(0); }`,
    `const text = readFileSync(0, 'utf8');`,
    `const note = (line) => appendFileSync(${JSON.stringify(`${path}.log`)}, line + '\\n');`,
    `const say = (samples) => process.stdout.write(encodeWav(new Int16Array(samples).fill(text.length)));`,
    speak,
  ];
  await writeFile(`${path}.mjs`, source.join('\n'));
  await chmod(`${path}.mjs`, 0o755);
  return `${path}.mjs`;
}

const lines = async (command: string) => (await readFile(command.replace(/mjs$/, 'log'), 'utf8')).trim().split('\n');

describe('with espeak-ng', { skip: noSpeech }, () => {
  test('a text is spoken: audible, about as long as a person takes, and no keys in it', async () => {
    const speaker = createSynthesizer({ log });
    const pcm = await speaker.synthesize('You have reached Acme Dental. Please leave a message after the tone.');
    assert.ok(durationMsOf(pcm) > 2_500 && durationMsOf(pcm) < 7_000, `${durationMsOf(pcm)} ms`);
    assert.ok(powerOf(pcm) > 500 ** 2);
    assert.equal(heardDigits(pcm), '');
    assert.equal(await speaker.name(), 'espeak-ng');
  });

  test('a text sounds the same whenever and by whomever it is said', async () => {
    const [one, other] = await Promise.all(
      [createSynthesizer({ log }), createSynthesizer({ log })].map((speaker) => speaker.synthesize('Press one.')),
    );
    assert.deepEqual(one, other);
    assert.notDeepEqual(one, tonesFor('Press one.'));
  });

  test('nothing in a text is a command to the program or to a shell', async () => {
    const speaker = createSynthesizer({ log });
    const marker = join(folder, 'touched');
    for (const text of [
      `$(touch ${marker})`,
      `'; touch ${marker} #`,
      '--version',
      '-f /etc/passwd',
      "[[h@l'oU]]",
      '\u0001200A',
    ]) {
      const pcm = await speaker.synthesize(text);
      assert.ok(pcm.length > 0, text);
    }
    await assert.rejects(readFile(marker), { code: 'ENOENT' });
    assert.notDeepEqual(await speaker.synthesize("[[h@l'oU]]"), await speaker.synthesize('hello'));
  });

  test('the band above 4 kHz does not fold into what is said', async () => {
    const pcm = await createSynthesizer({ log }).synthesize('sixty six sessions of hissing snakes');
    assert.ok(powerAt(pcm, 3_990) < powerOf(pcm) / 1_000);
  });
});

describe('without it', () => {
  test('tones stand in', async () => {
    const speaker = createSynthesizer({ log, program: { command: ABSENT } });
    assert.equal(await speaker.name(), 'tones');
    assert.equal(await synthesizerName(ABSENT), 'tones');
    assert.deepEqual(await speaker.synthesize('Press one.'), tonesFor('Press one.'));
  });
});

describe('a program that misbehaves', () => {
  const cases: [string, string, object][] = [
    ['fails', 'process.exit(3)', {}],
    ['writes no audio', `process.stdout.write('sorry')`, {}],
    ['hangs', 'setInterval(() => {}, 1_000)', { timeoutMs: 300 }],
    [
      'never stops talking',
      'const more = () => process.stdout.write(Buffer.alloc(65_536), more); more();',
      { outputBytesMax: 200_000 },
    ],
  ];
  for (const [what, source, limits] of cases) {
    test(`and ${what} is replaced by tones`, async () => {
      const command = await program(what.replaceAll(' ', '-'), source);
      const speaker = createSynthesizer({ log, program: { command, ...limits } });
      assert.equal(await speaker.name(), 'espeak-ng');
      assert.deepEqual(await speaker.synthesize('Press one.'), tonesFor('Press one.'));
    });
  }
});

describe('the work is bounded', () => {
  test('a text is made once, however often and however many at a time ask for it', async () => {
    const command = await program('once', `note(text); say(800);`);
    const speaker = createSynthesizer({ log, program: { command } });
    const all = await Promise.all(['hello', ' hello', 'hello '].map((text) => speaker.synthesize(text)));
    all.push(await speaker.synthesize('hello'));
    for (const pcm of all) assert.deepEqual(pcm, new Int16Array(800).fill(5));
    assert.deepEqual(await lines(command), ['hello']);
  });

  test('audio that a caller changes is not changed for others', async () => {
    const command = await program('own', 'say(800)');
    const speaker = createSynthesizer({ log, program: { command } });
    (await speaker.synthesize('hello')).fill(0);
    assert.deepEqual(await speaker.synthesize('hello'), new Int16Array(800).fill(5));
  });

  test('at most two programs run at once', async () => {
    const command = await program('two', `note('+'); setTimeout(() => { note('-'); say(1); }, 150);`);
    const speaker = createSynthesizer({ log, program: { command } });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => speaker.synthesize(text)));
    let running = 0;
    const counts = (await lines(command)).map((line) => (running += line === '+' ? 1 : -1));
    assert.equal(counts.length, 10);
    assert.ok(Math.max(...counts) <= 2, counts.join());
  });

  test('what the cache has no room for is made again', async () => {
    const command = await program('small', `note(text); say(800);`);
    const speaker = createSynthesizer({ log, program: { command }, cacheBytesMax: 2_000 });
    for (const text of ['a', 'a', 'b', 'a']) await speaker.synthesize(text);
    assert.deepEqual(await lines(command), ['a', 'b', 'a']);
  });

  test('a text of any length comes to an end', async () => {
    const command = await program('long', `note(String(text.length)); say(1);`);
    await createSynthesizer({ log, program: { command } }).synthesize('word '.repeat(100_000));
    assert.deepEqual(await lines(command), ['5000']);
  });
});
