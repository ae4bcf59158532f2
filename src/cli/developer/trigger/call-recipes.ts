/** Recipes of calls. The people on them answer automatically, as in all of test mode. */
import { AGENT, MACHINE, NEVER_ANSWERS, OTHER_AGENT, OWN_NAME, PERSON, type Recipe, STREAM_FAILS } from './recipe.ts';
import { placeEmergencyCall, startAgent, useStream } from './sockets.ts';
import type { Made, Stage } from './stage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Places a call between two people. */
async function place(stage: Stage, fields: Fields = {}): Promise<string> {
  const { id: from } = await stage.number();
  return (await stage.post('/calls', { from, to: PERSON, connect_to: AGENT, ...fields })).id;
}

/** Places the call that has the recipe's event. */
function placeMain(stage: Stage, fields: Fields = {}): Promise<string> {
  return place(stage, stage.change({ to: PERSON, connect_to: AGENT, ...fields }));
}

/** Waits until the log of a call has an entry of the type. Returns the id of the call. */
async function logged(stage: Stage, callId: string, type: string): Promise<string> {
  await stage.until(`/calls/${callId}`, ({ events }) =>
    (events as { type: string }[]).some((entry) => entry.type === type),
  );
  return callId;
}

/** Waits until two people are connected on the call. */
const connected = (stage: Stage, callId: string) => logged(stage, callId, 'bridged');

const talk = async (stage: Stage, fields?: Fields) => connected(stage, await place(stage, fields));

/** Sends a request about a call while two people are connected. */
async function onCall(stage: Stage, path: string, body: Fields): Promise<string> {
  const id = await talk(stage);
  await stage.post(path.replace('{call_id}', id), stage.change(body));
  return id;
}

async function ringIn(stage: Stage): Promise<string> {
  const { phone_number: to } = await stage.number();
  return (await stage.post('/test/inbound_calls', stage.change({ from: PERSON, to }))).id;
}

async function transcribe(stage: Stage): Promise<string> {
  const id = await talk(stage, { transcribe: true });
  const said = stage.change({ speaker: 'customer', text: 'I would like to move my appointment to Monday.' });
  await stage.post(`/test/calls/${id}/speech`, said);
  return id;
}

async function openStream(stage: Stage): Promise<Made> {
  const id = await talk(stage);
  return stage.post(`/calls/${id}/streams`, stage.change({ track: 'both' }));
}

async function relay(stage: Stage, agent: { readonly handsOff: boolean }): Promise<string> {
  const id = await talk(stage);
  const url = await startAgent(stage, agent);
  return (await stage.post(`/calls/${id}/relay`, stage.change({ url }))).id;
}

const VOICEMAIL = { type: 'voicemail' } as const;
const MENU = {
  name: `${OWN_NAME}: menu`,
  open_behavior: {
    type: 'menu',
    prompt: 'Press 1 to leave a message.',
    options: { 1: VOICEMAIL },
    otherwise: VOICEMAIL,
  },
  closed_behavior: VOICEMAIL,
} as const;

/**
 * Returns a number with this routing config. Buys one if there is none, so the routing of other numbers does not
 * change.
 */
async function numberOf(stage: Stage, routing_config_id: string): Promise<unknown> {
  const tenantId = await stage.tenant();
  const { data } = await stage.get<{ data: Made[] }>(`/phone_numbers?tenant_id=${tenantId}&limit=100`);
  const answering = data.find(
    (number) => number['routing_config_id'] === routing_config_id && number.status === 'active',
  );
  return (answering ?? (await stage.buyNumber({ routing_config_id })))['phone_number'];
}

/** Sets up a number with a menu and calls it. */
async function chooseInMenu(stage: Stage): Promise<string> {
  await stage.number();
  const { id: routing_config_id } = await stage.findOrMake('/routing_configs', MENU);
  const to = await numberOf(stage, routing_config_id);
  return (await stage.post('/test/inbound_calls', stage.change({ from: PERSON, to, script: 'press 1' }))).id;
}

const meetMachine = (stage: Stage) => placeMain(stage, { to: MACHINE, machine_detection: { on_machine: 'continue' } });

/** Sets up a number with a queue and calls it. */
async function waitInQueue(stage: Stage): Promise<string> {
  await stage.number();
  const name = `${OWN_NAME}: queue`;
  const { id: queue_id } = await stage.findOrMake('/queues', { name, agents: [OTHER_AGENT] });
  const config = { name, open_behavior: { type: 'queue', queue_id } };
  const { id: routing_config_id } = await stage.findOrMake('/routing_configs', config);
  return (
    await stage.post(
      '/test/inbound_calls',
      stage.change({ from: PERSON, to: await numberOf(stage, routing_config_id) }),
    )
  ).id;
}

const TRANSFER = '/calls/{call_id}/transfer';

export const CALL_RECIPES = {
  'call.started': ringIn,
  'call.placed': (stage) => placeMain(stage),
  'call.answered': (stage) => placeMain(stage),
  'call.completed': async (stage) => {
    const id = await connected(stage, await placeMain(stage));
    await stage.post(`/calls/${id}/hangup`);
    return id;
  },
  'call.missed': async (stage) => {
    const id = await ringIn(stage);
    await stage.post(`/test/calls/${id}/hangup`, { party: 'customer' });
    return id;
  },
  'call.transcript': transcribe,
  'call.summary': async (stage) => {
    const id = await transcribe(stage);
    await stage.post(`/calls/${id}/hangup`);
    return id;
  },
  'call.dtmf': (stage) => onCall(stage, '/test/calls/{call_id}/dtmf', { digits: '1', party: 'customer' }),
  'call.gather': (stage) => onCall(stage, '/calls/{call_id}/gather', { prompt: 'Press 1 to confirm.', max_digits: 1 }),
  'call.speech.ended': (stage) => onCall(stage, '/calls/{call_id}/speak', { text: 'One moment please.' }),
  'call.menu': chooseInMenu,
  'call.machine_detected': meetMachine,
  'call.greeting_ended': meetMachine,
  'call.queued': waitInQueue,
  // The queue's agent may be busy with another caller, so here the caller leaves the queue by hanging up.
  'call.dequeued': async (stage) => {
    const id = await logged(stage, await waitInQueue(stage), 'queued');
    await stage.post(`/test/calls/${id}/hangup`, { party: 'customer' });
    return id;
  },
  'call.transfer.started': (stage) => onCall(stage, TRANSFER, { to: OTHER_AGENT }),
  'call.transfer.answered': (stage) => onCall(stage, TRANSFER, { to: OTHER_AGENT, mode: 'consult' }),
  'call.transfer.completed': (stage) => onCall(stage, TRANSFER, { to: OTHER_AGENT }),
  'call.transfer.failed': (stage) => onCall(stage, TRANSFER, { to: NEVER_ANSWERS, ring_seconds: 5 }),
  'call.stream.started': async (stage) => {
    const stream = await openStream(stage);
    await useStream(stage, stream);
    return stream.id;
  },
  'call.stream.stopped': async (stage) => {
    const stream = await openStream(stage);
    await useStream(stage, stream);
    await stage.send('DELETE', `/calls/${stream['call_id']}/streams/${stream.id}`);
    return stream.id;
  },
  'call.stream.failed': async (stage) => {
    const id = await talk(stage, { to: STREAM_FAILS });
    return (await stage.post(`/calls/${id}/streams`, stage.change({ track: 'both' }))).id;
  },
  'call.relay.started': (stage) => relay(stage, { handsOff: false }),
  'call.relay.ended': (stage) => relay(stage, { handsOff: true }),
  'voicemail.created': async (stage) => {
    const { phone_number: to } = await stage.number();
    const { id } = await stage.post('/test/inbound_calls', { from: PERSON, to });
    const message = stage.change({ seconds: 2, transcript: 'Please call me back about Monday.' });
    await stage.post(`/test/calls/${id}/voicemail`, message);
    return id;
  },
  'recording.created': async (stage) => {
    const id = await connected(stage, await placeMain(stage, { record: true }));
    await logged(stage, id, 'recording_started');
    await stage.post(`/calls/${id}/hangup`);
    return id;
  },
  'emergency_call.placed': async (stage) => {
    await stage.number();
    const client = await stage.findOrMake('/web_clients', { name: OWN_NAME }, ({ name, status }) => {
      return name === OWN_NAME && status !== 'revoked';
    });
    const login = (await stage.post(`/web_clients/${client.id}/tokens`)) as Made & { token: string };
    return placeEmergencyCall(stage, login.token, stage.change({ to: '911' }));
  },
} satisfies Record<string, Recipe>;
