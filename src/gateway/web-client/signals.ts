/** Messages between processes about web clients, over the bus. */
import type { Context } from '../../context.ts';
import { type WebClientName, webClientOfSignal } from '../../domain/voice/index.ts';

const CHANGES_CHANNEL = 'web_clients';
const AUDIO_CHANNEL = 'web-client-audio';

/**
 * Relays this process's changes of web clients to all processes, itself included. A signal says only that the web
 * client may have changed; the receiver reads the change.
 */
export function relayWebClientSignals({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const name = webClientOfSignal(signal);
    if (name !== undefined) bus.publish(CHANGES_CHANNEL, `${name.ledgerId}:${name.webClientId}`);
  });
}

export function onWebClientSignal(bus: Context['bus'], listener: (webClient: WebClientName) => void): void {
  bus.subscribe(CHANGES_CHANNEL, (payload) => {
    const [ledgerId, webClientId] = payload.split(':', 2) as [string, string];
    listener({ ledgerId: Number(ledgerId), webClientId });
  });
}

type AudioSettings = { readonly mute?: boolean; readonly hold?: boolean };

/** A change of a leg's audio settings. If a setting has two changes, the one with the higher `at` counts. */
export type AudioChange = AudioSettings & { readonly at: number };

/** Mutes a leg or puts it on hold, on the node that has its audio. */
export type SetAudio = (legId: string, settings: AudioSettings) => void;

/** Returns the publisher of changes of audio settings. Create one for each process: it numbers the changes. */
export function createSetAudio({ bus, clock }: Pick<Context, 'bus' | 'clock'>): SetAudio {
  let lastAt = 0;
  return (legId, settings) => {
    // Increases with each change. It is never below the wall time. So it continues from the numbers of the process that
    // had the web client before.
    lastAt = Math.max(lastAt + 1, clock.now());
    bus.publish(AUDIO_CHANNEL, JSON.stringify([legId, { ...settings, at: lastAt }]));
  };
}

/** Changes may arrive late, and out of order. */
export function onAudioChange(bus: Context['bus'], listener: (legId: string, change: AudioChange) => void): void {
  bus.subscribe(AUDIO_CHANNEL, (payload) => listener(...(JSON.parse(payload) as [string, AudioChange])));
}

/** Creates the audio settings of a leg. Changes may update them in any order. */
export function createAudioState() {
  const state = { mute: false, hold: false };
  const changedAt = { mute: 0, hold: 0 };
  return {
    get mute() {
      return state.mute;
    },
    get hold() {
      return state.hold;
    },
    apply: ({ at, ...change }: AudioChange) => {
      for (const setting of ['mute', 'hold'] as const) {
        const value = change[setting];
        if (value === undefined || at <= changedAt[setting]) continue;
        state[setting] = value;
        changedAt[setting] = at;
      }
    },
  };
}
