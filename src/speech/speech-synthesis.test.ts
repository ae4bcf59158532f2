import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { missing } from '../../test/support/programs.ts';
import { powerAt, powerOf } from '../../test/support/tone-power.ts';
import { durationMsOf } from '../audio/pcm.ts';
import type { SpeechProgram } from './espeak.ts';
import { createLocalVoice } from './local-voice.ts';
import { createShippedVoice, SHIPPED_VOICE } from './shipped/shipped-voice.ts';
import { createSynthesizer } from './speech-synthesis.ts';
import { tonesFor } from './speech-tones.ts';

const log = pino({ level: 'silent' });
const ABSENT = '/nonexistent/espeak-ng';
const noSpeech = missing('espeak-ng');
/** The voice of an install whose file is missing. */
const mute = createShippedVoice({ program: '/nonexistent/flite.wasm' });

/** Returns a synthesizer with a program in place of espeak-ng. */
function speakerBy(program: Partial<SpeechProgram>, { cacheBytesMax = 1e6, shipped = mute } = {}) {
  return createSynthesizer({ log, voice: createLocalVoice({ log, program, shipped }), cacheBytesMax });
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dialplane-speech-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/**
 * Writes a program in place of espeak-ng. `speak` is its code after the version check: it has `text`, `note` and `say`.
 */
async function program(name: string, speak: string): Promise<string> {
  const path = join(folder, name);
  const wav = JSON.stringify(new URL('../audio/wav.ts', import.meta.url).href);
  const source = [
    `#!${process.execPath}`,
    `import { readFileSync, appendFileSync, existsSync } from 'node:fs';`,
    `import { encodeWav } from ${wav};`,
    `if (process.argv.includes('--version')) { console.log('version 9.8'); process.exit(0); }`,
    `const text = readFileSync(0, 'utf8');`,
    `const ready = ${JSON.stringify(join(folder, 'ready'))};`,
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
  test('a text is audible, and takes about as long as a person does', async () => {
    const speaker = createSynthesizer({ log });
    const pcm = await speaker.synthesize('You have reached Acme Dental. Please leave a message after the tone.');
    assert.ok(durationMsOf(pcm) > 2_500 && durationMsOf(pcm) < 7_000, `${durationMsOf(pcm)} ms`);
    assert.ok(powerOf(pcm) > 500 ** 2);
  });

  test('a text sounds the same from every synthesizer', async () => {
    const [one, other] = await Promise.all(
      [createSynthesizer({ log }), createSynthesizer({ log })].map((speaker) => speaker.synthesize('Press one.')),
    );
    assert.deepEqual(one, other);
    assert.notDeepEqual(one, tonesFor('Press one.'));
  });

  test('a text sounds different in another language, and has its usual voice in one that nobody speaks', async () => {
    const speaker = createSynthesizer({ log });
    const speak = (language: string) =>
      speaker.synthesize('Hola, amigos.', { language, voice: null, voiceLanguage: language });
    const usual = await speaker.synthesize('Hola, amigos.');
    assert.deepEqual(await speak('en-US'), usual);
    assert.notDeepEqual(await speak('es-MX'), usual);
    assert.deepEqual(await speak('xx'), await SHIPPED_VOICE.speak('Hola, amigos.'));
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

  test('sound above 4 kHz does not fold into the speech', async () => {
    const pcm = await createSynthesizer({ log }).synthesize('sixty six sessions of hissing snakes');
    assert.ok(powerAt(pcm, 3_990) < powerOf(pcm) / 1_000);
  });
});

describe('without espeak-ng', () => {
  test('the voice that ships with Dialplane speaks, and each text once', async () => {
    const voice = createLocalVoice({ log, program: { command: ABSENT } });
    const speaker = createSynthesizer({ log, voice });
    const spoken = await speaker.synthesize('Press one.');
    const { pcm, isFinal } = await voice.speak('Press one.');
    assert.ok(isFinal, 'it is cached');
    assert.deepEqual(spoken, pcm);
    assert.ok(powerOf(spoken) > 500 ** 2);
    assert.notDeepEqual(spoken, tonesFor('Press one.'));
  });

  test('a text that the voice cannot read is played as tones', async () => {
    const speaker = createSynthesizer({ log, voice: createLocalVoice({ log, program: { command: ABSENT } }) });
    assert.deepEqual(await speaker.synthesize('Нажмите один.'), tonesFor('Нажмите один.'));
  });

  test('a text is played as tones if the voice is missing', async () => {
    assert.deepEqual(await speakerBy({ command: ABSENT }).synthesize('Press one.'), tonesFor('Press one.'));
  });
});

describe('a failing program', () => {
  const cases: [string, string, object][] = [
    ['fails', 'process.exit(3)', {}],
    ['writes no audio', `process.stdout.write('sorry')`, {}],
    ['hangs', 'setInterval(() => {}, 1_000)', { timeoutMs: 300 }],
    [
      'never stops writing',
      'const more = () => process.stdout.write(Buffer.alloc(65_536), more); more();',
      { outputBytesMax: 200_000 },
    ],
  ];
  for (const [what, source, limits] of cases) {
    test(`that ${what} is replaced by the voice that ships with Dialplane, and that voice by tones`, async () => {
      const command = await program(what.replaceAll(' ', '-'), source);
      const shipped = await SHIPPED_VOICE.speak('Press one.');
      const speaker = speakerBy({ command, ...limits }, { shipped: SHIPPED_VOICE });
      assert.deepEqual(await speaker.synthesize('Press one.'), shipped);
      assert.deepEqual(await speakerBy({ command, ...limits }).synthesize('Press one.'), tonesFor('Press one.'));
    });
  }

  test('is used again for the next request of the same text', async () => {
    const command = await program('recovers', `note(text); if (!existsSync(ready)) process.exit(3); say(800);`);
    const speaker = speakerBy({ command }, { shipped: SHIPPED_VOICE });
    assert.deepEqual(await speaker.synthesize('hello'), await SHIPPED_VOICE.speak('hello'));
    await writeFile(join(folder, 'ready'), '');
    assert.deepEqual(await speaker.synthesize('hello'), new Int16Array(800).fill(5));
  });
});

describe('the work is limited', () => {
  test('concurrent and repeated requests for a text run the program once', async () => {
    const command = await program('once', `note(text); say(800);`);
    const speaker = speakerBy({ command });
    const all = await Promise.all(['hello', ' hello', 'hello '].map((text) => speaker.synthesize(text)));
    all.push(await speaker.synthesize('hello'));
    for (const pcm of all) assert.deepEqual(pcm, new Int16Array(800).fill(5));
    assert.deepEqual(await lines(command), ['hello']);
  });

  test('a caller that changes its audio does not change that of others', async () => {
    const command = await program('own', 'say(800)');
    const speaker = speakerBy({ command });
    (await speaker.synthesize('hello')).fill(0);
    assert.deepEqual(await speaker.synthesize('hello'), new Int16Array(800).fill(5));
  });

  test('at most two programs run concurrently', async () => {
    const command = await program('two', `note('+'); setTimeout(() => { note('-'); say(1); }, 150);`);
    const speaker = speakerBy({ command });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => speaker.synthesize(text)));
    let running = 0;
    const counts = (await lines(command)).map((line) => (running += line === '+' ? 1 : -1));
    assert.equal(counts.length, 10);
    assert.ok(Math.max(...counts) <= 2, counts.join());
  });

  test('audio that the cache has no room for is made again', async () => {
    const command = await program('small', `note(text); say(800);`);
    const speaker = speakerBy({ command }, { cacheBytesMax: 2_000 });
    for (const text of ['a', 'a', 'b', 'a']) await speaker.synthesize(text);
    assert.deepEqual(await lines(command), ['a', 'b', 'a']);
  });

  test('a very long text is cut', async () => {
    const command = await program('long', `note(String(text.length)); say(1);`);
    await speakerBy({ command }).synthesize('word '.repeat(100_000));
    assert.deepEqual(await lines(command), ['5000']);
  });
});
