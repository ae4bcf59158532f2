/** Plays a browser and a person: makes the requests of the page, and acts as a simulated phone. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Conversation, Dialplane, Event, Message, PhoneNumber, RealtimeToken } from '@dialplane/sdk';
import { TestMode } from '@dialplane/sdk/testing';
import { newPerson, say } from '../shared/local-server.ts';

const WAIT_MS = 30_000;

export async function demonstrate(about: { client: Dialplane; number: PhoneNumber; url: string; login: string }) {
  const { client, number, url, login } = about;
  say(`  without a session: ${(await fetch(`${url}/conversations`)).status}`);
  const session = await fetch(login, { redirect: 'manual' });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  say(`  the same login again: ${(await fetch(login)).status}`);
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { cookie },
      body: body ? JSON.stringify(body) : null,
    });
    return (await reply.json()) as T;
  };

  const ticket = await ask<RealtimeToken>('POST', '/socket-token', {});
  const socket = new WebSocket(`${ticket.url}?token=${encodeURIComponent(ticket.token)}`);
  await once(socket, 'open');
  const seen = new EventEmitter();
  socket.addEventListener('message', ({ data }) => seen.emit((JSON.parse(String(data)) as Event).type));
  const next = (type: string) => once(seen, type, { signal: AbortSignal.timeout(WAIT_MS) });

  const maria = new TestMode(client).phone(newPerson());
  say(`\nMaria (${maria.number}) texts. The socket says so, and the page reads the inbox again.`);
  const received = next('message.received');
  await maria.text(number.phone_number, 'Is Biscuit ready?');
  await received;
  const [newest] = await ask<Conversation[]>('GET', '/conversations');
  if (newest === undefined) throw new Error('The inbox is empty.');
  say(`  ${newest.external_number}: ${newest.last_message_preview}`);

  say('\nThe front desk answers; a double click sends one text.');
  const delivered = next('message.delivered');
  const reply = { key: randomUUID(), text: 'Biscuit is ready. We are open until six.' };
  const path = `/conversations/${newest.id}/messages`;
  await Promise.all([ask('POST', path, reply), ask('POST', path, reply)]);
  await delivered;
  const timeline = await ask<Message[]>('GET', `/conversations/${newest.id}`);
  for (const { direction, body, status } of timeline.toReversed()) {
    say(`  ${direction === 'inbound' ? 'Maria' : 'Clinic'}: ${body} (${status})`);
  }

  say('\nMaria wants no more texts.');
  const stopped = next('opt_out.created');
  await maria.reply('STOP');
  await stopped;
  const refused = await ask<{ error: string }>('POST', path, { key: randomUUID(), text: 'See you!' });
  say(`  the next reply: ${refused.error}`);
  socket.close();
}
