// A voice agent in one file: hears the next call that comes in, greets, and is silent at once when the caller speaks.
//   node examples/voice-agent.mjs KEY [API]
import { WebSocket } from 'ws';

const [key, api = 'http://localhost:8080/v1'] = process.argv.slice(2);

async function post(path, body = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return reply.json();
}

/** A sample of mu-law (ITU-T G.711) as a number, and a tone as mu-law. Your text-to-speech goes in its place. */
const decode = (code) => {
  const bits = ~code & 0xff;
  const size = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 0x80 ? -size : size;
};
const CODES = Array.from({ length: 256 }, (_, code) => code).sort((a, b) => decode(a) - decode(b));
const encode = (sample) => CODES.find((code) => decode(code) >= sample) ?? 0x80;
const tone = (hz, ms) =>
  Buffer.from(Array.from({ length: ms * 8 }, (_, i) => encode(8000 * Math.sin((2 * Math.PI * hz * i) / 8000))));

/** Speaks on a call until it has said what it wants, then hangs up. */
async function attend(callId) {
  const { url, token } = await post(`/calls/${callId}/streams`, { direction: 'bidirectional' });
  const socket = new WebSocket(`${url}?token=${token}`);
  let saying;
  const say = (name, audio) => {
    saying = name;
    socket.send(JSON.stringify({ event: 'media', payload: audio.toString('base64') }));
    socket.send(JSON.stringify({ event: 'mark', name }));
  };
  const hear = (audio) => {
    const loudness = Math.sqrt(audio.reduce((sum, code) => sum + decode(code) ** 2, 0) / audio.length);
    if (loudness < 500 || saying !== 'greeting') return;
    socket.send(JSON.stringify({ event: 'clear' })); // the caller speaks: not a word more of the greeting
    console.log('the caller speaks; listening');
    setTimeout(() => say('answer', tone(440, 500)), 1000);
    saying = undefined;
  };
  socket.on('message', async (text) => {
    const message = JSON.parse(text);
    if (message.event === 'start') say('greeting', tone(330, 8000));
    if (message.event === 'media' && message.track === 'inbound') hear(Buffer.from(message.payload, 'base64'));
    if (message.event === 'mark' && message.name === saying) await post(`/calls/${callId}/hangup`);
    if (message.event === 'stop') console.log(`over: ${message.reason}`);
  });
}

const { url, token } = await post('/realtime/tokens');
const events = new WebSocket(`${url}?token=${token}`);
events.on('open', () => console.log('waiting for a call'));
events.on('message', (text) => {
  const { type, data } = JSON.parse(text);
  if (type === 'call.started') attend(data.id);
  if (type.startsWith('call.stream.')) console.log(`${type} ${data.reason ?? ''}`);
});
