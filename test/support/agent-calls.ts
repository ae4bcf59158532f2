/** The agent of a relay at its gateway. The call's audio is made here; the socket and the ticks are real. */
import { encodeMulaw } from '../../src/audio/mulaw.ts';
import { SILENT_FRAME } from '../../src/audio/mulaw-frames.ts';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import type { Frame, RelayEnd } from '../../src/gateway/media/types.ts';
import type { AgentServices } from '../../src/gateway/media/voice-agent/types.ts';
import { until } from './jobs.ts';
import { FORK, useMediaNodes } from './media-node.ts';
import { type StreamAgent, useStreamAgents } from './stream-agent.ts';

export type Message = { readonly type: string; readonly [field: string]: unknown };

/** A tone whose level changes like the level of speech. */
function speechOf(ms: number): Uint8Array {
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(ms), amplitude: 12_000 });
  return encodeMulaw(pcm.map((sample, n) => sample * (0.1 + 0.9 * Math.abs(Math.sin((n * Math.PI) / samplesOf(250))))));
}

/** The usual settings of a relay. */
export const RELAY_SETTINGS = {
  welcomeText: null,
  language: 'en-US',
  voice: null,
  interruptible: true,
  dtmf: true,
  silenceMs: 700,
  partialPrompts: false,
  from: '+16025550143',
  to: '+16025550199',
  callerName: null,
  direction: 'inbound',
} as const;

type Options = { settings?: object; services?: Partial<AgentServices> };

/** Returns a function that connects an agent to a call. The test passes the words of the customer to `say`. */
export function useAgentCalls() {
  const start = useMediaNodes();
  const startAgent = useStreamAgents();
  return async (options: Options = {}) => await connect(await startAgent(), start, options);
}

async function connect(
  agent: StreamAgent,
  start: ReturnType<typeof useMediaNodes>,
  { settings = {}, services = {} }: Options,
) {
  let speech: Frame[] = [];
  /** The audio that the customer heard, with the tick of each frame. */
  const heard: { tick: number; isVoice: boolean; frame: Frame }[] = [];
  const spoke: number[] = [];
  const node = await start({
    agents: {
      recognize: async () => 'I have a question.',
      findListener: async () => undefined,
      // 50 ms for each character.
      speak: async (_call, text) =>
        encodeMulaw(sine({ frequencyHz: 300, samples: samplesOf(text.length * 50), amplitude: 8_000 })),
      fetchFile: async () => ({ problem: 'The server answered with status 404.' }),
      sendDigits: async () => undefined,
      ...services,
    },
    populate: async (audio) => {
      audio.addSource({
        into: ['inbound'],
        read: (tick) => {
          const frame = speech.shift();
          if (frame !== undefined && spoke.at(-1) === undefined) spoke.push(tick);
          return frame;
        },
      });
      audio.addSink({
        write: ({ tick, outbound }) => heard.push({ tick, isVoice: outbound !== SILENT_FRAME, frame: outbound }),
      });
      return () => undefined;
    },
  });
  const call = { ledgerId: 1, callId: 'call_1' };
  const relay = { ...RELAY_SETTINGS, ...settings };
  node.dials.set('rly_1', {
    ...FORK,
    streamId: 'rly_1',
    call,
    dialect: 'relay',
    relay,
    url: agent.url,
    allowLoopback: true,
  });
  await node.gateway.dial('rly_1');
  return {
    ...{ agent, node, heard, spoke },
    /** Lets the customer say something of this length, or this audio. */
    say: (said: number | Uint8Array) => {
      const audio = typeof said === 'number' ? speechOf(said) : said;
      speech = Array.from({ length: audio.length / 160 }, (_, n) => audio.subarray(n * 160, (n + 1) * 160));
    },
    ended: async (): Promise<RelayEnd | undefined> => {
      await until('the relay has ended', () => node.endings.has('rly_1'), 30_000);
      return node.endings.get('rly_1')?.relay;
    },
  };
}

export const messagesOf = (agent: StreamAgent, type: string) =>
  (agent.messages as unknown as Message[]).filter((message) => message.type === type);

export async function received(agent: StreamAgent, type: string): Promise<Message> {
  await until(`the agent has ${type}`, () => messagesOf(agent, type).length > 0);
  return messagesOf(agent, type)[0] as Message;
}
