/**
 * An agent of text: Dialplane hears and speaks, and this program gets words and sends words. README.md says how to run
 * it, docs/agent-quickstart.md how to make one.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Dialplane, DialplaneError, type PhoneNumber } from '@dialplane/sdk';
import { callAgent, TestMode } from '@dialplane/sdk/testing';
import { WebSocketServer } from 'ws';
import { ensureNumber, isDemo, newPerson, run, say, untilStopped } from '../shared/local-server.ts';
import { createAgent } from './agent.ts';

const NAME = 'Text agent';
const { PORT = '0', AGENT_URL } = process.env;

/** Lets the agent answer the number. Keeps a routing config that this example did not make. */
async function routeTo(client: Dialplane, number: PhoneNumber, url: string): Promise<void> {
  const open_behavior = { type: 'relay', url, fallback: { type: 'voicemail' } } as const;
  const fields = { tenant_id: number.tenant_id, name: NAME, open_behavior };
  const current = number.routing_config_id;
  if (current === null) {
    const { id } = await client.routingConfigs.create(fields);
    await client.phoneNumbers.update(number.id, { routing_config_id: id });
  } else if ((await client.routingConfigs.get(current)).name === NAME) {
    await client.routingConfigs.replace(current, fields);
  } else {
    throw new DialplaneError('invalid_argument', `${number.phone_number} has a routing of its own: ${current}.`);
  }
}

/** Plays a dialogue without a server. A test suite can have hundreds of these. */
async function rehearse(): Promise<void> {
  say('\nA dialogue without a call:');
  const caller = await callAgent(createAgent((line) => say(`  ${line}`)));
  await caller.expectHeard('How can I help you?');
  await caller.say('When are you open?');
  await caller.expectHeard(/nine to five/);
  await caller.press('0');
  say(`  handed over: ${(await caller.ended()).handoffData}`);
}

/** Plays a caller who asks, and then wants a person. */
async function demonstrate(client: Dialplane, number: PhoneNumber, over: Promise<string>): Promise<void> {
  const lab = new TestMode(client);
  const maria = lab.phone(newPerson());
  say(`\nMaria (${maria.number}) calls ${number.phone_number}:`);
  const { id } = await maria.call(number.phone_number, 'wait 5, say "When are you open?", wait 6, say "A person."');
  await over;
  await lab.call(id).hangUp();
  const { answered_by } = await client.calls.get(id);
  say(`  answered by: ${answered_by}`);
}

await run(async (client) => {
  const number = await ensureNumber(client, 'text-agent');
  const over = Promise.withResolvers<string>();
  const server = new WebSocketServer({ port: Number(PORT), host: '127.0.0.1', maxPayload: 64 * 1024 });
  server.on(
    'connection',
    createAgent((line) => say(`  ${line}`), over.resolve),
  );
  await once(server, 'listening');
  try {
    const url = AGENT_URL ?? `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await routeTo(client, number, url);
    say(`${number.phone_number} is answered by the agent at ${url}`);
    if (isDemo) {
      await rehearse();
      await demonstrate(client, number, over.promise);
    } else await untilStopped();
  } finally {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});
