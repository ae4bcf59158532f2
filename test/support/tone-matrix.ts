/** Measures who hears whom: each party speaks in a different tone, and the tones in the audio of each are measured. */
import assert from 'node:assert/strict';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import { until } from './jobs.ts';
import { powerAt } from './tone-power.ts';

/** A party with a separate socket, such as `connectHandset` opens. */
type Party = {
  readonly hum: (frequencyHz: number) => () => void;
  readonly audioOf: (track: 'inbound') => Uint8Array;
};

/** Whom each party hears, by name. */
export type Hearing = Readonly<Record<string, readonly string[]>>;

/** These tones are far from each other, from the tones of the simulation, and from the notes of hold audio. */
export const TONES_HZ = [750, 1_150, 1_550, 1_950, 2_350] as const;
/** Half a second. */
const WINDOW_BYTES = 4_000;
const HEARD_POWER = 200_000;
/** A process that stood still leaves a gap in the audio, as if nobody spoke. So a first window may be by chance. */
const WINDOWS_MAX = 5;

/** Lets parties speak at the same time, and measures who hears whom. */
export function createToneMatrix() {
  const parties = new Map<string, Party & { readonly frequencyHz: number; readonly stop: () => void }>();

  const hearing = (): Hearing => {
    const heardBy = (party: Party) => {
      const pcm = decodeMulaw(party.audioOf('inbound').subarray(-WINDOW_BYTES));
      return [...parties].flatMap(([name, { frequencyHz }]) => (powerAt(pcm, frequencyHz) > HEARD_POWER ? [name] : []));
    };
    return Object.fromEntries([...parties].map(([name, party]) => [name, heardBy(party)]));
  };

  /** Resolves when every party that receives audio has received a whole window of it since this call. */
  const newWindow = async () => {
    const lengths = [...parties.values()].map((party) => [party, party.audioOf('inbound').length] as const);
    await until('there is half a second of audio', () =>
      lengths.every(([party, before]) => party.audioOf('inbound').length >= before + WINDOW_BYTES),
    );
  };

  return {
    add: (name: string, party: Party): void => {
      const frequencyHz = TONES_HZ[parties.size] ?? assert.fail('there are too few tones');
      parties.set(name, { ...party, frequencyHz, stop: party.hum(frequencyHz) });
    },
    /** Removes a party that has left the call. */
    remove: (name: string): void => {
      parties.get(name)?.stop();
      parties.delete(name);
    },
    /** Waits until the parties hear exactly the expected tones in two windows, one after the other. */
    becomes: async (expected: Hearing): Promise<void> => {
      const isSo = () => JSON.stringify(hearing()) === JSON.stringify(expected);
      for (let windows = 0; windows < WINDOWS_MAX; windows++) {
        await until(`they hear ${JSON.stringify(expected)}`, isSo, 20_000).catch((error: unknown) => {
          assert.deepEqual(hearing(), expected);
          throw error;
        });
        await newWindow();
        if (isSo()) return;
      }
      assert.deepEqual(hearing(), expected);
    },
    stop: (): void => {
      for (const { stop } of parties.values()) stop();
    },
  };
}
