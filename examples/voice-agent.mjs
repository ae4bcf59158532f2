// A voice agent in one file: answers calls, listens to words and keys, speaks, stops when the caller interrupts, and
// passes the caller to a person or to the voicemail. docs/voice-agents.md says how to run it.
import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { WebSocket } from 'ws';

const { KEY, WEBHOOK_SECRET, PERSON, SPEECH_URL, SPEECH_KEY } = process.env;
const { API = 'http://localhost:8080/v1', PORT = '9100', SPEECH_MODEL = 'whisper-1' } = process.env;
if (KEY === undefined || WEBHOOK_SECRET === undefined) {
  console.error('set KEY (an API key) and WEBHOOK_SECRET (of the endpoint); PERSON and SPEECH_URL are optional');
  process.exit(2);
}

const KEYS = 'Press 1 for a person, or 2 to leave a message.';
const GREETING = `Hello, you have reached the clinic. How can I help you? ${KEYS}`;
/** What the agent does, by words and by key. The first match counts. */
const INTENTS = [
  { key: '1', words: /\b(person|human|someone|appointment)\b/i, act: (call) => call.transfer(PERSON ?? 'voicemail') },
  { key: '2', words: /\b(message|voicemail)\b/i, act: (call) => call.transfer('voicemail') },
  { key: '3', words: /\b(hours|open|close)\b/i, act: (call) => call.say('We are open from nine to five.') },
  { key: '9', words: /\b(bye|goodbye)\b/i, act: (call) => call.sayAndHangUp('Goodbye.') },
];
/** How long the agent waits for the caller after its own words. */
const PATIENCE_MS = 8_000;

/** Frames of 20 ms: loud ones that start an utterance, quiet ones that end it, those kept before it, the longest. */
const [START_FRAMES, END_FRAMES, KEPT_FRAMES, LONGEST_FRAMES] = [4, 35, 20, 750];

/** Sends a POST to the API. Throws what the API refused, in words. */
async function post(path, body = {}) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const reply = await fetch(`${API}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return reply.json();
}

/** One call: its stream, what the caller says, and what the agent says. */
class Conversation {
  constructor(id) {
    this.id = id;
    this.path = `/calls/${id}`;
    this.isOver = false;
    /** Counts speeches and interruptions. A speech with an old number is not spoken any more. */
    this.turn = 0;
    this.isSpeaking = false;
    const onUtterance = (audio) => this.guard(this.understand(audio));
    this.listen = createListener(() => this.interrupt(), onUtterance);
  }

  log(text) {
    console.log(`${this.id} ${text}`);
  }

  guard(work) {
    work.catch((error) => this.giveUp(error));
  }

  async open() {
    const { url, token } = await post(`${this.path}/streams`, { direction: 'bidirectional', track: 'inbound' });
    this.socket = new WebSocket(`${url}?token=${token}`);
    this.socket.on('message', (text) => this.receive(JSON.parse(text)));
    this.socket.on('error', (error) => this.giveUp(error));
    this.socket.on('close', (code) => this.giveUp(new Error(`the stream closed with ${code}`)));
  }

  receive({ event, payload, digit, name, reason, track }) {
    if (this.isOver) return;
    if (event === 'start') this.guard(this.say(GREETING));
    if (event === 'media') this.listen(Buffer.from(payload, 'base64'));
    if (event === 'dtmf' && track === 'inbound') this.press(digit);
    if (event === 'mark' && name === String(this.turn)) this.finishSpeech();
    if (event === 'stop' && reason === 'call_ended') this.leave();
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** Speaks over the stream. Without espeak-ng, the server speaks. `next` runs after the last word. */
  async say(text, next) {
    this.interrupt();
    const turn = ++this.turn;
    const audio = await synthesize(text);
    if (turn !== this.turn || this.isOver) return;
    this.log(`agent: ${text}`);
    this.isSpeaking = true;
    this.next = next;
    if (audio !== undefined) {
      this.send({ event: 'media', payload: audio.toString('base64') });
      this.send({ event: 'mark', name: String(turn) });
      return;
    }
    const { speech_id } = await post(`${this.path}/speak`, { text });
    if (turn === this.turn) this.speechId = speech_id;
    else await post(`${this.path}/speak/stop`);
  }

  sayAndHangUp(text) {
    return this.say(text, () => this.guard(post(`${this.path}/hangup`)));
  }

  /** Runs when the agent's last word has been played. */
  finishSpeech() {
    this.isSpeaking = false;
    if (this.next !== undefined) return this.next();
    clearTimeout(this.patience);
    const leave = () => this.guard(this.sayAndHangUp('I cannot hear you. Goodbye.'));
    this.patience = setTimeout(leave, PATIENCE_MS);
  }

  /** Stops the agent's own words: the caller speaks or presses a key. */
  interrupt() {
    clearTimeout(this.patience);
    this.turn++;
    if (!this.isSpeaking || this.isOver) return;
    this.log('interrupted');
    this.isSpeaking = false;
    this.send({ event: 'clear' });
    if (this.speechId !== undefined) this.guard(post(`${this.path}/speak/stop`));
    this.speechId = undefined;
  }

  press(digit) {
    this.interrupt();
    this.log(`caller pressed ${digit}`);
    this.answer(INTENTS.find(({ key }) => key === digit));
  }

  async understand(audio) {
    if (SPEECH_URL === undefined) return this.answer(undefined);
    const text = await recognize(audio);
    if (this.isOver) return;
    this.log(`caller: ${text}`);
    this.answer(INTENTS.find(({ words }) => words.test(text)));
  }

  answer(intent) {
    this.guard(intent === undefined ? this.say(`I did not understand that. ${KEYS}`) : intent.act(this));
  }

  /** Connects the caller with a person or the voicemail, and stops listening. */
  async transfer(to) {
    this.log(`transfer to ${to}`);
    const isPerson = to !== 'voicemail';
    await post(
      `${this.path}/transfer`,
      isPerson ? { to, announce_text: 'A caller from the assistant.', on_no_answer: 'voicemail' } : { to },
    );
    this.leave();
  }

  leave() {
    this.isOver = true;
    clearTimeout(this.patience);
    this.socket?.close();
  }

  /** The one way out of any failure: the caller gets the voicemail, or else the call ends. */
  async giveUp(error) {
    if (this.isOver) return;
    this.log(`failed: ${error.message}; passing the caller to the voicemail`);
    this.leave();
    try {
      await post(`${this.path}/transfer`, { to: 'voicemail' });
    } catch (refusal) {
      this.log(`no voicemail: ${refusal.message}; ending the call`);
      await post(`${this.path}/hangup`).catch(({ message }) => this.log(`not ended: ${message}`));
    }
  }
}

/** Returns a function that takes the caller's frames of 20 ms and reports when an utterance starts and what it was. */
function createListener(onStart, onUtterance) {
  let frames = [];
  let [loud, quiet, isActive, wasLoud] = [0, 0, false, false];
  return (frame) => {
    const isLoud = isSpeech(frame);
    frames.push(frame);
    if (!isActive) {
      loud = isLoud ? loud + 1 : Math.max(0, loud - 1);
      if (frames.length > KEPT_FRAMES) frames.shift();
      isActive = loud >= START_FRAMES;
      if (isActive) onStart();
      quiet = 0;
    } else {
      quiet = isLoud && wasLoud ? 0 : quiet + 1;
      if (quiet >= END_FRAMES || frames.length >= LONGEST_FRAMES) {
        onUtterance(Buffer.concat(frames));
        [frames, loud, isActive] = [[], 0, false];
      }
    }
    wasLoud = isLoud;
  };
}

/** Returns true for loud audio that is not the 440 Hz of test mode's silent caller. */
function isSpeech(mulaw) {
  const samples = Array.from(mulaw, decode);
  const mean = (part) => samples.reduce((sum, x, i) => sum + part(x, (i * 2 * Math.PI * 440) / 8000), 0) / mulaw.length;
  const power = mean((x) => x * x);
  const hum = 2 * (mean((x, angle) => x * Math.cos(angle)) ** 2 + mean((x, angle) => x * Math.sin(angle)) ** 2);
  return power > 500 ** 2 && hum < power / 2;
}

/** Decodes a sample of mu-law (ITU-T G.711). */
function decode(code) {
  const size = (((~code & 15) * 8 + 132) << ((~code >> 4) & 7)) - 132;
  return code & 128 ? size : -size;
}

function encode(sample) {
  const size = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.floor(Math.log2(size)) - 7;
  return ~((sample < 0 ? 128 : 0) | (exponent << 4) | ((size >> (exponent + 3)) & 15)) & 255;
}

/** Returns the words of an utterance, by a server with OpenAI's transcription API. */
async function recognize(mulaw) {
  const samples = Int16Array.from(mulaw, decode);
  // The header of a WAV file: "RIFF", "WAVE", "fmt ", one channel of 16-bit samples, "data".
  const head = [0x46464952, 0, 0x45564157, 0x20746d66, 16, 0x10001, 8_000, 16_000, 0x100002, 0x61746164, 0];
  [head[1], head[10]] = [36 + samples.byteLength, samples.byteLength];
  const form = new FormData();
  form.set('file', new Blob([Uint32Array.from(head), samples], { type: 'audio/wav' }), 'utterance.wav');
  form.set('model', SPEECH_MODEL);
  form.set('response_format', 'json');
  const headers = SPEECH_KEY ? { authorization: `Bearer ${SPEECH_KEY}` } : {};
  const signal = AbortSignal.timeout(10_000);
  const reply = await fetch(`${SPEECH_URL}/audio/transcriptions`, { method: 'POST', headers, body: form, signal });
  if (!reply.ok) throw new Error(`the recogniser answered ${reply.status}`);
  return (await reply.json()).text;
}

const spoken = new Map();

/** Returns a text as mu-law, made once; undefined without espeak-ng. The texts are those of this file. */
function synthesize(text) {
  const { promise, resolve } = Promise.withResolvers();
  if (spoken.has(text)) return spoken.get(text);
  spoken.set(text, promise);
  const child = spawn('espeak-ng', ['-v', 'en-us', '-s', '160', '--stdout', text]);
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.on('error', () => resolve(undefined));
  child.on('close', (code) => resolve(code === 0 ? toMulaw(Buffer.concat(chunks)) : undefined));
  return promise;
}

/** Converts a WAV file of 16 bits to 8,000 samples a second, each the mean of the samples that it replaces. */
function toMulaw(wav) {
  const ratio = wav.readUInt32LE(24) / 8_000;
  const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - (wav.length % 2)));
  const partAt = (i) => samples.subarray(Math.floor(i * ratio), Math.floor((i + 1) * ratio));
  const meanAt = (_, i) => encode(Math.round(partAt(i).reduce((sum, x) => sum + x, 0) / partAt(i).length));
  return Buffer.from(Array.from({ length: Math.floor(samples.length / ratio) }, meanAt));
}

const calls = new Map();

function handle({ type, data }) {
  const id = data.call_id ?? data.id;
  const call = calls.get(id);
  if (type === 'call.started' && call === undefined) {
    const opened = new Conversation(id);
    calls.set(id, opened);
    opened.guard(opened.open());
  }
  if (type === 'call.answered' && data.answered_by !== 'application') call?.leave();
  if (type === 'call.speech.ended' && data.speech_id === call?.speechId) call?.finishSpeech();
  if (type.startsWith('call.transfer.')) call?.log(`${type} ${data.reason ?? ''}`.trim());
  if (type === 'call.completed' && call !== undefined) {
    call.leave();
    call.log(`over: ${data.outcome}`);
    calls.delete(id);
  }
}

/** Returns true if the header was made from this body with our secret, within the last five minutes. */
function isGenuine(header, body) {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(body).digest();
  const given = parts.filter(([name]) => name === 'v1').map(([, value = '']) => Buffer.from(value, 'hex'));
  const isMatch = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  return isMatch && Math.abs(Date.now() / 1000 - Number(time)) < 300;
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isOurs = isGenuine(String(request.headers['service-signature'] ?? ''), body);
  response.writeHead(isOurs ? 200 : 400).end();
  if (isOurs) handle(JSON.parse(body));
});
await synthesize(GREETING);
server.listen(Number(PORT), '127.0.0.1', () => console.log(`waiting for calls on port ${PORT}`));
