import { AudioEngine, type AudioLink, type PlayedSound } from '@dialplane/softphone/audio-engine';
import { levelOf } from './sounds.ts';

/** The audio that a phone receives and sends on a call. */
type LineState = {
  readonly state: 'connecting' | 'connected' | 'lost';
  /** The highest level of the latest audio, 0 to 1. */
  readonly level: number;
  /** True while a tone or a file is played into the call. */
  readonly isPlaying: boolean;
  /** Why there is no microphone; null if there is one. */
  readonly noMicrophone: string | null;
  /** Why the latest attempt to connect the audio failed. */
  readonly problem: string | null;
};

type Address = { readonly url: string; readonly token: string };

type LineOptions = {
  readonly engine: AudioEngine;
  /** Requests the audio of the person; again after a loss. */
  readonly open: () => Promise<Address>;
  readonly onChange: () => void;
};

/** The audio of one phone on one call, until it is closed. */
export type Line = {
  readonly state: LineState;
  /** Chooses whether this phone uses the microphone and the speaker of the computer. */
  use(options: { readonly microphone: boolean; readonly speaker: boolean }): void;
  play(sound: AudioBuffer): void;
  stopPlaying(): void;
  close(): void;
};

/** The worklet is a file of the console: the page's policy refuses `blob:` scripts. */
const WORKLET_URL = new URL('../../../../softphone/bundle/worklet.js', import.meta.url).href;
const AGAIN_MS = 1_000;
/** The shown level covers this much audio. */
const LEVEL_MS = 200;

export const openEngine = (): AudioEngine => new AudioEngine({ workletUrl: WORKLET_URL });

/** Connects a phone to a call. Reconnects after a loss. */
export function openLine({ engine, open, onChange }: LineOptions): Line {
  let state: LineState = { state: 'connecting', level: 0, isPlaying: false, noMicrophone: null, problem: null };
  let used = { microphone: false, speaker: false };
  let link: AudioLink | undefined;
  let played: PlayedSound | undefined;
  let isClosed = false;

  const change = (changed: Partial<LineState>) => {
    if (isClosed) return;
    state = { ...state, ...changed };
    onChange();
  };
  const meter = createMeter((level) => change({ level }));

  const apply = () => {
    link?.setSilent(!used.microphone);
    link?.setPlaying(used.speaker);
  };
  const connect = async () => {
    const made = await engine.link(
      await open(),
      {
        onFlow: (codes) => {
          meter.take(codes);
          if (state.state !== 'connected') change({ state: 'connected', problem: null });
        },
        onLost: () => retry(),
        onNoMicrophone: ({ message }) => change({ noMicrophone: message }),
      },
      { isSilent: true, isPlaying: false },
    );
    if (isClosed) return made.close();
    link = made;
    apply();
  };
  const retry = () => {
    link = undefined;
    change({ state: 'lost', level: 0 });
    setTimeout(start, AGAIN_MS);
  };
  const start = () => {
    if (isClosed) return;
    connect().catch((error: unknown) => {
      // The call may be over, which its log shows. If not, the next attempt succeeds.
      change({ problem: error instanceof Error ? error.message : String(error) });
      retry();
    });
  };
  start();

  return {
    get state() {
      return state;
    },
    use: (next) => {
      used = next;
      apply();
    },
    play: (sound) => {
      played?.stop();
      const playing = link?.play(sound);
      if (playing === undefined) return;
      played = playing;
      change({ isPlaying: true });
      void playing.ended.then(() => played === playing && change({ isPlaying: false }));
    },
    stopPlaying: () => played?.stop(),
    close: () => {
      isClosed = true;
      meter.stop();
      link?.close();
    },
  };
}

/** Reports the highest level of the latest audio, when it changes. */
function createMeter(report: (level: number) => void) {
  let loudest = 0;
  let shown = 0;
  const timer = setInterval(() => {
    if (loudest !== shown) report(loudest);
    shown = loudest;
    loudest = 0;
  }, LEVEL_MS);
  return {
    take: (codes: Uint8Array) => {
      loudest = Math.max(loudest, levelOf(codes));
    },
    stop: () => clearInterval(timer),
  };
}
