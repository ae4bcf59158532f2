import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createScreen } from './screen.ts';

function openScreen({ isTTY = true, json = false } = {}) {
  const [stdin, stdout] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  const write = (text: string) => stdout.write(`${text}\n`);
  const style = (_format: unknown, text: string) => text;
  const screen = createScreen(
    { json, isInteractive: isTTY, out: write, err: write, confirm: () => Promise.resolve(true), style },
    { stdin, stdout },
  );
  /** Returns the output since the last call. */
  const read = () => {
    const chunks: Buffer[] = [];
    for (let chunk = stdout.read(); chunk !== null; chunk = stdout.read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  return { screen, stdin, read };
}

const TEXT = { type: 'text', from: '+16025550100', to: '+16025550143', body: 'Hello', media_urls: [] } as const;

test('on a terminal news stands above the line that is being typed', async () => {
  const { screen, stdin, read } = openScreen();
  screen.open();
  stdin.write('Is Bis');
  await new Promise(setImmediate);
  read();
  screen.show(TEXT);
  const shown = read();
  assert.ok(shown.startsWith('\x1b[2K\x1b[1G< +16025550100  Hello\n'), JSON.stringify(shown));
  assert.ok(shown.includes('> Is Bis'), JSON.stringify(shown));
});

test('after the last line there is no prompt', async () => {
  const { screen, stdin, read } = openScreen();
  const lines = screen.open();
  stdin.end();
  await new Promise((resolve) => lines.once('close', resolve));
  read();
  screen.show({ type: 'end', call_id: 'call_1', outcome: 'answered' });
  screen.prompt();
  assert.equal(read(), 'The call is over: answered\n');
});

test('over a pipe only lines are written, and with --json only JSON', () => {
  for (const [json, wanted] of [
    [false, '< +16025550100  Hello\n'],
    [true, `${JSON.stringify(TEXT)}\n`],
  ] as const) {
    const { screen, read } = openScreen({ isTTY: false, json });
    screen.open();
    screen.show(TEXT);
    screen.prompt();
    assert.equal(read(), wanted);
  }
});
