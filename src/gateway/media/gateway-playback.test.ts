import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { type MonotonicClock, monotonicClock } from './ticker.ts';
import type { Frame, Populate } from './types.ts';

const start = useMediaNodes();

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const ramp = (length: number) => Uint8Array.from({ length }, (_, i) => i % 250);

/** A clock that runs `times` as fast as real time. */
const fasterClock = (times: number): MonotonicClock => ({
  nowMs: () => monotonicClock.nowMs() * times,
  after: (delayMs, wake) => monotonicClock.after(delayMs / times, wake),
});

describe('playback', () => {
  test('is sent back on the outbound track sample for sample, and then its mark', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    const audio = ramp(2_000);
    for (let at = 0; at < audio.length; at += 333) {
      client.send({ event: 'media', payload: base64(audio.subarray(at, at + 333)) });
    }
    client.send({ event: 'mark', name: 'end of speech' });
    await client.until((messages) => messages.some((message) => message.event === 'mark'));
    const markAt = client.messages.findIndex((message) => message.event === 'mark');
    assert.deepEqual(client.messages[markAt], { event: 'mark', name: 'end of speech' });
    const heard = client.audioOf('outbound');
    const begin = heard.indexOf(0);
    assert.deepEqual(heard.slice(begin, begin + 2_000), audio);
    const loud = client.messages.findLastIndex(
      (message) => message['track'] === 'outbound' && message['payload'] !== base64(SILENT_FRAME),
    );
    assert.ok(loud < markAt && markAt - loud <= 3);
  });

  test('stops at clear, and the marks of the cleared audio are sent at once', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    client.send({ event: 'media', payload: base64(new Uint8Array(80_000)) });
    client.send({ event: 'mark', name: 'a' });
    await client.until(() => client.audioOf('outbound').includes(0));
    client.send({ event: 'clear' });
    await client.until((messages) => messages.some((message) => message.event === 'mark'));
    const after = client.messages.length;
    await client.until((messages) => messages.length > after + 6);
    const later = client.messages.slice(after).filter((message) => message['track'] === 'outbound');
    for (const message of later) assert.equal(message['payload'], base64(SILENT_FRAME));
  });

  test('of the longest message, a minute, is complete', async () => {
    const heard: Frame[] = [];
    const populate: Populate = async (audio) => audio.addSink({ write: ({ outbound }) => heard.push(outbound) });
    const node = await start({ populate, clock: fasterClock(30) });
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    const audio = ramp(480_000);
    client.send({ event: 'media', payload: base64(audio) });
    client.send({ event: 'mark', name: 'end' });
    await client.until((messages) => messages.some((message) => message.event === 'mark'));
    const all = Buffer.concat(heard);
    assert.ok(all.includes(audio), `${all.length} bytes without it`);
  });
});
