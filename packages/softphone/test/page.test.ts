/** The microphones and speakers of the page's browser. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { AudioDevices } from '../index.d.ts';
import { listDevices, watchPage } from '../src/page.js';

const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
  else Object.defineProperty(globalThis, 'navigator', before);
});

type Device = { readonly kind: string; readonly deviceId: string; readonly label: string };

/** A browser with these devices. */
function plugIn(...plugged: Device[]): EventTarget & { plugged: Device[] } {
  const mediaDevices = Object.assign(new EventTarget(), {
    plugged,
    enumerateDevices: () => Promise.resolve(mediaDevices.plugged),
  });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { mediaDevices } });
  return mediaDevices;
}

const HEADSET: Device = { kind: 'audioinput', deviceId: 'mic_1', label: 'Headset' };
const SPEAKER: Device = { kind: 'audiooutput', deviceId: 'out_1', label: 'Desk' };

test('microphones and speakers are listed, without cameras, and without those that the browser does not name yet', async () => {
  plugIn(HEADSET, SPEAKER, { kind: 'videoinput', deviceId: 'cam_1', label: 'Camera' }, { ...HEADSET, deviceId: '' });
  assert.deepEqual(await listDevices(), {
    microphones: [{ id: 'mic_1', label: 'Headset' }],
    speakers: [{ id: 'out_1', label: 'Desk' }],
  });
});

test('a device that is plugged in or out is reported with the list, until the softphone disconnects', async () => {
  const devices = plugIn(SPEAKER);
  const reports: AudioDevices[] = [];
  const reported = Promise.withResolvers<void>();
  const stop = watchPage({
    onOnline: () => undefined,
    onDevices: (list) => {
      reports.push(list);
      reported.resolve();
    },
  });
  devices.plugged = [HEADSET, SPEAKER];
  devices.dispatchEvent(new Event('devicechange'));
  await reported.promise;
  assert.deepEqual(reports, [await listDevices()]);
  assert.equal(reports[0]?.microphones[0]?.label, 'Headset');
  stop();
  devices.dispatchEvent(new Event('devicechange'));
  await listDevices();
  assert.equal(reports.length, 1);
});
