/** The HTTP server of the emulator: the API below /v2, the controls below /_control, the media below /_media. */

import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isSameText } from '../../src/lib/crypto/same-text.ts';
import { time } from '../support/emulator-time.ts';
import { delayOf } from '../support/fault-rules.ts';
import { accountRoutes, checkAccount } from './account.ts';
import { additionalDocumentRoutes } from './additional-documents.ts';
import { addressRoutes } from './addresses.ts';
import { callAudioRoutes } from './audio/call-audio.ts';
import { availableNumberRoutes } from './available-numbers.ts';
import { applicationRoutes } from './calls/applications.ts';
import { callRoutes } from './calls/call-routes.ts';
import { createControls } from './controls.ts';
import { documentRoutes } from './documents.ts';
import type { RequestRule } from './faults.ts';
import { messageRoutes } from './messages.ts';
import { numberOrderRoutes } from './number-orders.ts';
import { phoneNumberRoutes } from './phone-numbers.ts';
import { portOutRoutes } from './port-outs.ts';
import { portabilityRoutes } from './portability.ts';
import { portingEventRoutes } from './porting-events.ts';
import { portingOrderRoutes } from './porting-orders.ts';
import { profileRoutes } from './profiles.ts';
import { registryRoutes } from './registry.ts';
import { RegistryRefusal } from './registry-replies.ts';
import { orNotFound, Refusal, type Reply } from './replies.ts';
import { type Call, findRoute, type Route } from './routes.ts';
import { checkRequest, checkResponse } from './schemas.ts';
import { nowText } from './state.ts';
import { deliveryRoutes } from './webhook-deliveries.ts';
import { createWorld, type Settings, type World } from './world.ts';

export type EmulatorOptions = Settings & {
  /** The bearer key of requests. */
  readonly apiKey: string;
  /** How long a receiver of webhooks has for its answer. */
  readonly answerMs: number;
  /** The pause before the second attempt of a webhook; it doubles. */
  readonly retryMs: number;
  /** How often a webhook is posted to an address that does not accept it. Telnyx posts it three times. */
  readonly attemptsMax: number;
  /** 0: any free port. */
  readonly port: number;
};

export type Emulator = {
  /** The base URL of the API, as `https://api.telnyx.com/v2` is. */
  readonly url: string;
  /** Base64 of the 32 bytes of the Ed25519 public key. */
  readonly publicKey: string;
  /** Closes the server and its connections. Nothing that was planned happens. */
  close(): Promise<void>;
};

type Parts = {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly apiKey: string;
  /** Aborts when the emulator closes. */
  readonly closing: AbortSignal;
};

/** Round trips of 150 ms, and texts that arrive a moment later. */
const USUAL: Omit<EmulatorOptions, 'apiKey'> = {
  roundTripMs: 150,
  stepMs: 50,
  characterMs: 65,
  mediaLifeMs: 60_000,
  documentLifeMs: 30 * 60_000,
  recordingLifeMs: 10 * 60_000,
  newAccount: false,
  recordingsFail: false,
  streamsFail: false,
  streamsShuffle: false,
  streamsCodec: 'PCMU',
  showsLosingCarrier: true,
  flatCampaignReports: false,
  personIdentity: 'SELF_DECLARED',
  mixedUseCases: [2, 5],
  portOutUrl: '',
  answerMs: 2_000,
  retryMs: 200,
  attemptsMax: 3,
  port: 0,
};

const API = '/v2';
const ACCEPTED_KEPT = 20_000;
/** Documents have up to 20 MB, in base64. */
const BODY_MAX_BYTES = 28_000_000;

/** Starts an emulator with an empty account, on loopback. */
export async function openEmulator(
  options: Partial<EmulatorOptions> & Pick<EmulatorOptions, 'apiKey'>,
): Promise<Emulator> {
  const { apiKey, answerMs, retryMs, attemptsMax, port, ...settings } = { ...USUAL, ...options };
  let origin = '';
  const world = createWorld(settings, { answerMs, retryMs, attemptsMax }, () => origin);
  const { state } = world;
  const routes = [
    ...accountRoutes(state),
    ...profileRoutes(state),
    ...availableNumberRoutes(state),
    ...numberOrderRoutes(state),
    ...phoneNumberRoutes(state),
    ...portOutRoutes(world),
    ...messageRoutes(world),
    ...addressRoutes(state),
    ...registryRoutes(world),
    ...portabilityRoutes(world),
    ...documentRoutes(world),
    ...additionalDocumentRoutes(world),
    ...portingOrderRoutes(world),
    ...portingEventRoutes(world),
    ...applicationRoutes(state),
    ...callRoutes(world),
    ...callAudioRoutes(world),
    ...deliveryRoutes(world),
  ];
  const closing = new AbortController();
  const parts = { world, routes, apiKey, closing: closing.signal };
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error) => {
      if (error !== closing.signal.reason) console.error(error);
      response.destroy();
    });
  });
  // On a stalled process a connection could be closed at the moment of a new request.
  server.keepAliveTimeout = 300_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    closing.abort();
    world.reset();
    server.close();
    server.closeAllConnections();
    await Promise.all([once(server, 'close'), world.webhooks.settled()]);
  };
  return { url: `${origin}${API}`, publicKey: world.webhooks.publicKey, close };
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://emulator');
  const [, group, name = ''] = url.pathname.split('/');
  if (group === '_media') return sendMedia(parts.world, name, response);
  try {
    const body = await bodyOf(request);
    if (!isSameText(request.headers.authorization ?? '', `Bearer ${parts.apiKey}`)) {
      throw new Refusal('10009', 'Could not understand the provided credentials.');
    }
    if (group === '_control') return send(response, await control(parts.world, name, body));
    if (!url.pathname.startsWith(`${API}/`)) orNotFound(undefined);
    await operate(parts, { method: request.method ?? '', url, body }, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send(response, error.reply);
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = await text(request);
  if (body.length > BODY_MAX_BYTES) throw new Refusal('10015', `a body has at most ${BODY_MAX_BYTES} characters`);
  try {
    return body === '' ? undefined : JSON.parse(body);
  } catch {
    throw new Refusal('10015', 'the body is not JSON');
  }
}

type Asked = { readonly method: string; readonly url: URL; readonly body: unknown };

/** Answers a request to the API, or not if a fault says so. */
async function operate(
  { world, routes, closing: signal }: Parts,
  { method, url, body }: Asked,
  response: ServerResponse,
): Promise<void> {
  const path = url.pathname.slice(API.length);
  const { route, params } = orNotFound(findRoute(routes, method, path));
  const fault = world.faults.ofRequest(route.name);
  const { roundTripMs } = world.settings;
  await time.sleep(roundTripMs / 2, { signal });
  const refused = refusalOf(fault);
  if (refused !== undefined || fault?.is === 'timeout_before_acceptance') {
    fault?.onStruck?.();
    return refused && send(response, refused);
  }
  const reply = carryOut(world, route, { params, query: url.searchParams, body }, path);
  fault?.onStruck?.();
  if (fault?.is === 'timeout_after_acceptance') return;
  await time.sleep(roundTripMs / 2 + (fault?.is === 'delay' ? delayOf(fault) : 0), { signal });
  send(response, reply, fault?.is === 'malformed');
}

function carryOut({ state, accepted, watchers }: World, { name, answer }: Route, call: Call, path: string): Reply {
  try {
    const [method = ''] = name.split(' ');
    requireKnown(method, path, call.body);
    if (method === 'POST') checkAccount(state);
    const reply = withoutNulls(answer(call));
    if (reply.status < 300) checkResponse(method, path, reply.body);
    const request = { operation: name, path, body: call.body ?? null, at: nowText() };
    accepted.push(request);
    if (accepted.length > ACCEPTED_KEPT) accepted.shift();
    for (const watch of watchers) watch(request);
    // The reply shows the account at this moment, also if it comes late.
    return reply;
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

/** Returns a copy without the fields that have no value: the published types know few nulls. */
function withoutNulls(reply: Reply): Reply {
  return JSON.parse(JSON.stringify(reply), (_name, value) => (value === null ? undefined : value));
}

/** Refuses with 422 a body that is not of Telnyx's published types; GET and DELETE take no body. */
function requireKnown(method: string, path: string, body: unknown): void {
  try {
    checkRequest(method, path, body);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    if (!path.startsWith('/10dlc/')) throw new Refusal('10015', error.message);
    const [, field = ''] = /: \/([\w/]+)/.exec(error.message) ?? [];
    throw new RegistryRefusal(['body', ...field.split('/')], error.message);
  }
}

function refusalOf(fault: RequestRule | undefined): Reply | undefined {
  if (fault?.is === '500') return new Refusal('10007', 'An unexpected error occured.').reply;
  if (fault?.is === 'refusal') return new Refusal(fault.code, 'The request is refused.').reply;
  if (fault?.is !== '429') return undefined;
  const { reply } = new Refusal('10011', 'You have exceeded the maximum number of allowed requests.');
  const limits = { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0' };
  return { ...reply, headers: { ...limits, 'x-ratelimit-reset': String(fault.retryAfterS ?? 1) } };
}

/** Answers the controls, which tests and people send to the emulator itself. */
async function control(world: World, name: string, body: unknown): Promise<Reply> {
  const controls = createControls(world);
  if (!Object.hasOwn(controls, name)) orNotFound(undefined);
  const done = controls[name as keyof typeof controls] as (asked: unknown) => Promise<unknown>;
  try {
    return { status: 200, body: (await done(body ?? {})) ?? null };
  } catch (error) {
    throw new Refusal('10015', String(error));
  }
}

function send(response: ServerResponse, { status, body, headers }: Reply, isMalformed = false): void {
  const content = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    'x-request-id': randomUUID(),
    ...headers,
  });
  response.end(isMalformed ? content.slice(0, content.length / 2) : content);
}

/** Sends a file of a person, until its time has expired. */
function sendMedia({ state }: World, id: string, response: ServerResponse): void {
  const media = state.media.get(id);
  if (media === undefined || media.expiresAtMs < time.now()) {
    response.writeHead(403).end();
    return;
  }
  response.writeHead(200, { 'content-type': media.contentType }).end(media.content);
}
