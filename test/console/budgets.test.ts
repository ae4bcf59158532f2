/** What a page of the console may cost: the size of its scripts and styles, and the requests that it sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPerson } from '../support/messages.ts';
import { INSTALLED_KINDS } from './support/installation.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount } from './support/own-account.ts';
import { addressOf, PLACES, type Place, settled, watchRequests } from './support/places.ts';

const PAGE_BYTES_MAX = 270_000;
const DAY_MS = 86_400_000;
/** A window so low that the usage page's list of tenants is below its foot. */
const WINDOW = { width: 1280, height: 800 };

const console = await useConsole({ adapterKinds: INSTALLED_KINDS });
const { skip } = console;

type Cost = {
  /** The gzipped bytes of the scripts and styles. */
  readonly bytes: number;
  /** The requests to the API, each once: `GET /v1/usage?start=…`. */
  readonly asked: ReadonlySet<string>;
};

async function use() {
  const { account, send, line } = await makeOwnAccount(console);
  await send('POST', '/v1/messages', { from: line.number.id, to: newPerson(), body: 'Your visit is tomorrow.' });
  // At noon, so that no day begins while the pages are open.
  const now = Date.parse((await send('GET', '/v1/test/clock')).now);
  const noon = Math.ceil(now / DAY_MS) * DAY_MS + DAY_MS / 2;
  await send('POST', '/v1/test/clock', { advance_seconds: (noon - now) / 1000 });
  return account;
}
const account = skip === false ? await use() : undefined;

/** Opens a page in a browser with an empty cache, as an operator, and returns what it costs. */
async function costOf(place: Place): Promise<Cost> {
  const { id, test_key } = account ?? assert.fail('there is no browser');
  const page = await console.open('/healthz', { account: { id, test_key }, isAlone: true, viewport: WINDOW });
  const files: Promise<number>[] = [];
  const asked = new Set<string>();
  page.on('request', (request) => {
    const [, path] = /\/console\/api(?:\/ledgers\/[^/]+\/[^/]+)?(\/.*)$/.exec(request.url()) ?? [];
    if (path !== undefined) asked.add(`${request.method()} ${path}`);
  });
  page.on('requestfinished', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) {
      files.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    }
  });
  const quiet = watchRequests(page);
  await page.goto(new URL(addressOf(place, id, {}), page.url()).href);
  await settled(page);
  await quiet();
  const bytes = (await Promise.all(files)).reduce((sum, size) => sum + size, 0);
  await page.context().close();
  return { bytes, asked };
}

/** The page of one thing loads the same files as the page of its list. */
const LISTS = PLACES.filter(({ path }) => !path.includes('$'));
const costs = new Map<string, Promise<Cost>>();
const costOfNamed = (name: string): Promise<Cost> => {
  const place = PLACES.find((each) => each.name === name) ?? assert.fail(name);
  const cost = costs.get(name) ?? costOf(place);
  costs.set(name, cost);
  return cost;
};

for (const { name } of LISTS) {
  test(`the page ${name} has at most 270 KB of scripts and styles`, { skip }, async () => {
    const { bytes } = await costOfNamed(name);
    assert.ok(bytes > 0 && bytes <= PAGE_BYTES_MAX, `${bytes} bytes`);
  });
}

/** These pages share no request, except the frame's. */
const FRAMED = ['clock', 'numbers-buy', 'brands-new'];

/** Returns the requests of a page without those of the frame: the session, the alarms and the event socket. */
async function requestsOf(name: string): Promise<string[]> {
  const [first, ...others] = await Promise.all(FRAMED.map(costOfNamed));
  const isOfFrame = (request: string) =>
    first?.asked.has(request) === true && others.every(({ asked }) => asked.has(request));
  const { asked } = await costOfNamed(name);
  return [...asked].filter((request) => !isOfFrame(request));
}

const isUsage = (request: string) => request.startsWith('GET /v1/usage');

test('the usage page asks once for the usage of its period', { skip }, async () => {
  const requests = await requestsOf('usage');
  assert.equal(requests.filter(isUsage).length, 1, requests.join('\n'));
});

test('the overview sends at most ten requests, of them one for the traffic', { skip }, async () => {
  const requests = await requestsOf('overview');
  assert.equal(requests.filter(isUsage).length, 1, requests.join('\n'));
  assert.ok(requests.length <= 10, requests.join('\n'));
});
