import type { Call } from '@dialplane/sdk/resources';
import type { AudioEngine } from '@dialplane/softphone/audio-engine';
import type { Api } from '../../api/client.ts';
import { CONSOLE_URL, PREFIX } from '../../lib/location.ts';
import { viewOf } from './call-view.ts';
import { type Line, openEngine, openLine } from './line.ts';

/** The audio of all phones of the page. One of them has the microphone and the speaker of the computer. */
export type Lines = {
  find(callId: string, number: string): Line | undefined;
  isMuted(callId: string, number: string): boolean;
  setMuted(callId: string, number: string, isMuted: boolean): void;
  /** The phone that has the microphone and the speaker. */
  readonly here: string | undefined;
  goTo(number: string): void;
  /** Connects a phone that is on the call, and disconnects a phone that is not. */
  tend(call: Call, number: string): void;
  decode(file: File): Promise<AudioBuffer>;
  close(): void;
};

/**
 * Audio uses the console's own origin, which the page's policy allows, even if the gateways have another address. Every
 * gateway forwards this path to the right node, and proxies route it.
 */
function onThisOrigin(address: string): string {
  const { pathname } = new URL(address);
  const url = new URL(`${PREFIX}${pathname.slice(pathname.indexOf('/v1/'))}`, CONSOLE_URL);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

const nameOf = (callId: string, number: string) => `${callId} ${number}`;

export function createLines(api: Api, onChange: () => void): Lines {
  const lines = new Map<string, Line>();
  const muted = new Set<string>();
  let engine: AudioEngine | undefined;
  let here: string | undefined;

  const engineOf = () => {
    engine ??= openEngine();
    return engine;
  };
  const share = () => {
    for (const [name, line] of lines) {
      const isHere = here !== undefined && name.endsWith(` ${here}`);
      line.use({ microphone: isHere && !muted.has(name), speaker: isHere });
    }
    onChange();
  };
  return {
    find: (callId, number) => lines.get(nameOf(callId, number)),
    isMuted: (callId, number) => muted.has(nameOf(callId, number)),
    setMuted: (callId, number, isMuted) => {
      if (isMuted) muted.add(nameOf(callId, number));
      else muted.delete(nameOf(callId, number));
      share();
    },
    get here() {
      return here;
    },
    goTo: (number) => {
      here = number;
      share();
    },
    tend: (call, number) => {
      const name = nameOf(call.id, number);
      const { state } = viewOf(call, number);
      const isOn = state === 'calling' || state === 'talking';
      if (isOn === lines.has(name)) return;
      if (isOn) {
        const open = async () => {
          const { url, token } = await api.test.openCallAudio(call.id, { number });
          return { url: onThisOrigin(url), token };
        };
        lines.set(name, openLine({ engine: engineOf(), open, onChange }));
      } else {
        lines.get(name)?.close();
        lines.delete(name);
      }
      share();
    },
    decode: async (file) => await engineOf().decode(await file.arrayBuffer()),
    close: () => {
      for (const line of lines.values()) line.close();
      lines.clear();
      void engine?.close();
    },
  };
}
