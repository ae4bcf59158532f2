import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mixFrames, SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { createSpokenText } from './spoken-text.ts';

const frame = (code: number) => new Uint8Array(160).fill(code);
const [ONE, TWO, OTHER] = [frame(0x10), frame(0x20), frame(0x30)] as const;

test('a text is heard frame by frame over what is heard, and is spoken once the last frame was', async () => {
  const spoken = createSpokenText();
  const over = spoken.start('one', [ONE, TWO]);
  assert.equal(spoken.mix(SILENT_FRAME), ONE);
  assert.deepEqual(spoken.mix(OTHER), mixFrames([OTHER, TWO]));
  assert.equal(spoken.mix(OTHER), OTHER);
  assert.equal(await over, 'spoken');
});

test('a stop ends the text that it names, and no other', async () => {
  const spoken = createSpokenText();
  const over = spoken.start('one', [ONE, TWO]);
  spoken.stop('another');
  assert.equal(spoken.mix(SILENT_FRAME), ONE);
  spoken.stop('one');
  assert.equal(await over, 'stopped');
  assert.equal(spoken.mix(SILENT_FRAME), SILENT_FRAME);
});

test('the end of the socket cuts off the text, and one that is started after it', async () => {
  const spoken = createSpokenText();
  const over = spoken.start('one', [ONE]);
  spoken.end('cut_off');
  assert.equal(await over, 'cut_off');
  assert.equal(await spoken.start('two', [ONE]), 'cut_off');
});
