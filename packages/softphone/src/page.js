/** Reports of the page and its browser to a softphone: the network is back, and the list of audio devices. */

/** @typedef {import('../index.d.ts').AudioDevices} AudioDevices */

/** @returns {Promise<AudioDevices>} */
export async function listDevices() {
  const all = (await globalThis.navigator?.mediaDevices?.enumerateDevices()) ?? [];
  const ofKind = (/** @type {MediaDeviceKind} */ kind) =>
    // Browsers reveal neither ids nor names before the page may use a microphone.
    all.flatMap(({ kind: own, deviceId: id, label }) => (own === kind && id !== '' ? [{ id, label }] : []));
  return { microphones: ofKind('audioinput'), speakers: ofKind('audiooutput') };
}

/**
 * Calls back when the network is back, and with the devices when they change.
 * @param {{ onOnline: () => void, onDevices: (devices: AudioDevices) => void }} listener
 * @returns {() => void} a function that ends it
 */
export function watchPage({ onOnline, onDevices }) {
  const devices = globalThis.navigator?.mediaDevices;
  const onChange = () => void listDevices().then(onDevices);
  globalThis.addEventListener?.('online', onOnline);
  devices?.addEventListener('devicechange', onChange);
  return () => {
    globalThis.removeEventListener?.('online', onOnline);
    devices?.removeEventListener('devicechange', onChange);
  };
}
