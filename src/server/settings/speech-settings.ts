import type { ModelServer } from '../../speech/openai/model-client.ts';
import type { LiveServer } from '../../speech/vosk/live-words.ts';
import type { SpeechSettings } from '../parts/open-speech.ts';
import type { EnvironmentReader } from './environment-reader.ts';

/** Reads the servers that transcribe, summarize and speak on live calls. */
export function readSpeechSettings(read: EnvironmentReader, problems: string[]): SpeechSettings {
  const toText = {
    url: read.url('SPEECH_URL', ['https:', 'http:']),
    isNamed: read.text('SPEECH_URL') !== undefined,
    key: read.text('SPEECH_KEY'),
    model: read.text('SPEECH_MODEL'),
    stream: read.flag('SPEECH_STREAM', false),
  };
  const summary = {
    url: read.url('SUMMARY_URL', ['https:', 'http:']),
    isNamed: read.text('SUMMARY_URL') !== undefined,
    key: read.text('SUMMARY_KEY'),
    model: read.text('SUMMARY_MODEL'),
    stream: read.flag('SUMMARY_STREAM', false),
  };
  return Object.freeze({
    toText: checkModelServer('SPEECH', toText, problems),
    live: readLiveServer(read, problems, toText.isNamed),
    summary: checkModelServer('SUMMARY', summary, problems),
    voice: readVoiceServer(read, problems),
  });
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** Reads the server that recognises words while they are spoken. If it fails, calls use the other speech server. */
function readLiveServer(read: EnvironmentReader, problems: string[], hasOther: boolean): LiveServer | null {
  const url = read.url('SPEECH_LIVE_URL', ['wss:', 'ws:']);
  const language = read.text('SPEECH_LIVE_LANGUAGE');
  if (read.text('SPEECH_LIVE_URL') === undefined) {
    if (language !== undefined) problems.push(missingUrl('SPEECH', 'LIVE_LANGUAGE', 'LIVE_URL'));
    return null;
  }
  if (!hasOther) problems.push(missingUrl('SPEECH', 'LIVE_URL'));
  if (language !== undefined && !LANGUAGE.test(language)) {
    problems.push(`SPEECH_LIVE_LANGUAGE has "${language}", which is no language such as en`);
  }
  return Object.freeze({ url: url ?? '', language: language ?? 'en' });
}

function readVoiceServer(read: EnvironmentReader, problems: string[]): SpeechSettings['voice'] {
  const voice = read.text('VOICE_NAME');
  const voices = readVoices(read.text('VOICE_NAMES'), problems);
  const server = checkModelServer(
    'VOICE',
    {
      url: read.url('VOICE_URL', ['https:', 'http:']),
      isNamed: read.text('VOICE_URL') !== undefined,
      key: read.text('VOICE_KEY'),
      model: read.text('VOICE_MODEL'),
      stream: false,
    },
    problems,
  );
  if (server === null) {
    if (voice !== undefined) problems.push(missingUrl('VOICE', 'NAME'));
    if (voices !== undefined) problems.push(missingUrl('VOICE', 'NAMES'));
    return null;
  }
  const { url, key, model } = server;
  return Object.freeze({ url, key, model, voice: voice ?? USUAL_VOICE, ...(voices !== undefined && { voices }) });
}

const VOICE_OF_LANGUAGE = /^([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}):(\S+)$/;

/** Reads voices of languages, such as `es:maria, de-AT:anna`. */
function readVoices(text: string | undefined, problems: string[]): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  const voices: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, language, voice] = VOICE_OF_LANGUAGE.exec(part.trim()) ?? [];
    if (language !== undefined && voice !== undefined) voices[language.toLowerCase()] = voice;
    else problems.push(`VOICE_NAMES has "${part.trim()}", which is no language and voice such as es:maria`);
  }
  return Object.freeze(voices);
}

type ReadServer = {
  url: string | null;
  /** True if an address is set, even if it is not valid. */
  isNamed: boolean;
  key: string | undefined;
  model: string | undefined;
  stream: boolean;
};

/**
 * Reads the server for one kind of model work, from `<name>_URL` and its companions. Null if `<name>_URL` is not set.
 */
function checkModelServer(
  name: ServerName,
  { url, isNamed, key, model, stream }: ReadServer,
  problems: string[],
): ModelServer | null {
  if (!isNamed) {
    for (const [part, value] of Object.entries({ KEY: key, MODEL: model })) {
      if (value === undefined) continue;
      problems.push(missingUrl(name, part));
    }
    return null;
  }
  const chosen = model ?? USUAL_MODELS[name];
  if (chosen === null) {
    problems.push(`${name}_MODEL is missing, and the server of ${name}_URL needs to be told which model to use`);
  }
  // The Authorization header accepts no other characters. Without this check each request would fail later.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    problems.push(`${name}_KEY has characters that no header can carry: give it as it was issued`);
  }
  return Object.freeze({ url: url ?? '', key: key ?? null, model: chosen ?? '', stream });
}

function missingUrl(name: ServerName, part: string, address = 'URL'): string {
  return `${name}_${part} is set, but ${name}_${address} is not: give the server's address, or unset it`;
}

/** The default model: a name that most servers of the kind accept. Summaries have no default model. */
const USUAL_MODELS = { SPEECH: 'whisper-1', SUMMARY: null, VOICE: 'tts-1' } as const;
type ServerName = keyof typeof USUAL_MODELS;
const USUAL_VOICE = 'alloy';
