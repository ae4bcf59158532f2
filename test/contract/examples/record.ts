/** Executes the request that the document shows for an operation, and records it with its reply. */
import assert from 'node:assert/strict';
import type { Caller } from '../../support/caller.ts';
import type { Json } from '../../support/events.ts';
import type { Reply } from '../../support/harness.ts';
import type { Route } from '../document.ts';
import type { Request } from '../fixture.ts';
import { fixtureOf } from '../fixtures.ts';
import { send } from '../requests.ts';
import type { Worlds } from '../world.ts';
import { SHOWN } from './shown.ts';
import { stabilise } from './stabilise.ts';

/** An executed request and the JSON of its reply, if it has any. */
export type Example = Pick<Request, 'path' | 'query' | 'body'> & { reply?: Json };

/** Sends the example's request of a route with `call`, and records it. */
export async function recordExample(
  { home, harness, receiver }: Worlds,
  route: Route,
  call: Caller,
): Promise<{ example: Example; reply: Reply }> {
  const request = await requestOf(route, home);
  const sender = { ...home, harness: { ...harness, call } };
  const reply = await send(sender, route, request, route.isPublic ? { key: null } : {});
  assert.ok(reply.status < 300, `${route.name}: ${JSON.stringify(reply.body)}`);
  const { file: _, ...shown } = request;
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') && !route.isPublic;
  const example = { ...shown, ...(isJson && { reply: shortened(reply.body) }) };
  const { publicUrl, mediaUrl } = harness.context.settings;
  const stable = stabilise(example, [
    [receiver.url, 'https://platform.example/hooks'],
    [harness.url, 'https://phone.example'],
    [publicUrl, 'https://phone.example'],
    [mediaUrl, 'wss://phone.example'],
  ]);
  return { example: stable, reply };
}

async function requestOf(route: Route, home: Worlds['home']): Promise<Request> {
  const { path, query, body, file } = await fixtureOf(route).make(home);
  const shown = SHOWN[route.name];
  const isPage = route.parameters.some(({ name }) => name === 'limit') && shown?.query === undefined;
  const wanted = {
    ...(path !== undefined && { path }),
    ...((query !== undefined || isPage) && { query: { ...query, ...(isPage && { limit: '1' }) } }),
    ...(file !== undefined && { file }),
  };
  if (body === undefined && shown?.body === undefined) return wanted;
  const fields = Object.entries({ ...body, ...(await shown?.body?.(home)) });
  return { ...wanted, body: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

/** A list without pages is shown with its first two items. */
function shortened(body: Json): Json {
  return Array.isArray(body.data) ? { ...body, data: body.data.slice(0, 2) } : body;
}
