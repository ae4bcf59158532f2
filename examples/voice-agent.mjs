// A voice agent in one file: greets the caller, stops when the caller speaks, then answers and hangs up.
//   node examples/voice-agent.mjs KEY [API]
import { WebSocket } from 'ws';

const [key, api = 'http://localhost:8080/v1'] = process.argv.slice(2);
const report = (error) => console.error(error.message);

async function ask(path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const request = fetch(`${api}${path}`, { method: body ? 'POST' : 'GET', headers, body: JSON.stringify(body) });
  const reply = await request.catch((cause) => Promise.reject(new Error(`no API answers at ${api}`, { cause })));
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return reply.json();
}

/** Returns a buzz as mu-law (ITU-T G.711). Replace it with your text-to-speech. */
const buzz = (hz, ms) => Buffer.from(Array.from({ length: ms * 8 }, (_, i) => (((i * hz) / 4000) & 1 ? 0x1f : 0x9f)));

/** Returns true for loud audio that is not a silent simulated caller's 440 Hz. Replace it with your speech-to-text. */
function isSpeech(mulaw) {
  const size = (code) => (((~code & 15) * 8 + 132) << ((~code >> 4) & 7)) - 132;
  const samples = Array.from(mulaw, (code) => (code & 128 ? size(code) : -size(code)));
  const mean = (part) => samples.reduce((sum, x, i) => sum + part(x, i * ((2 * Math.PI * 440) / 8000)), 0) / 160;
  const power = mean((x) => x * x);
  const hum = 2 * (mean((x, angle) => x * Math.cos(angle)) ** 2 + mean((x, angle) => x * Math.sin(angle)) ** 2);
  return power > 500 ** 2 && hum < power / 2;
}

/** Talks to the caller once the call is answered, and hangs up after the last words. */
async function attend(call) {
  while ((await ask(call)).status === 'ringing') await new Promise((done) => setTimeout(done, 250));
  const { url, token } = await ask(`${call}/streams`, { direction: 'bidirectional' });
  const socket = new WebSocket(`${url}?token=${token}`).on('error', report);
  const send = (...messages) => messages.map((message) => socket.send(JSON.stringify(message)));
  const say = (name, audio) => send({ event: 'media', payload: audio.toString('base64') }, { event: 'mark', name });
  let pause;
  const hear = () => {
    if (pause === undefined) console.log('the caller speaks: listening');
    if (pause === undefined) send({ event: 'clear' }); // stops the greeting
    clearTimeout(pause);
    pause = setTimeout(() => say('answer', buzz(660, 500)), 1000);
  };
  socket.on('message', (text) => {
    const { event, track, payload, name, reason } = JSON.parse(text);
    if (event === 'start') say('greeting', buzz(330, 6000));
    if (event === 'media' && track === 'inbound' && isSpeech(Buffer.from(payload, 'base64'))) hear();
    if (event === 'mark' && (name === 'answer' || pause === undefined)) ask(`${call}/hangup`, {}).catch(report);
    if (event === 'stop') console.log(`over: ${reason}`);
  });
}

const { url, token } = await ask('/realtime/tokens', {}).catch((error) => process.exit(report(error) ?? 1));
const events = new WebSocket(`${url}?token=${token}`).on('error', report);
events.on('open', () => console.log('waiting for a call'));
events.on('message', (text) => {
  const { type, data } = JSON.parse(text);
  if (type === 'call.started') attend(`/calls/${data.id}`).catch(report);
  if (type.startsWith('call.stream.')) console.log(`${type} ${data.reason ?? ''}`);
});
