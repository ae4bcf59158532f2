/**
 * The stage of a recipe. It sends and shows the recipe's requests, and finds or makes the tenant and the number that
 * the recipe needs.
 */

import { monotonicMs, sleep } from '../../../lib/time/time.ts';
import { CommandError } from '../../command.ts';
import { API, type ApiRequest, callApi, RefusedError, type ServerAccess } from '../server-access.ts';
import { applyChanges, type Change } from './changes.ts';

type Body = Readonly<Record<string, unknown>>;

/** A resource as the API shows it. */
export type Made = { readonly id: string; readonly status?: string } & Body;

type OwnNumber = Made & {
  readonly phone_number: string;
  readonly capabilities: readonly string[];
  readonly routing_config_id: string | null;
};

/** A sent request and its result. */
export type Step = { readonly request: string; readonly body?: Body | undefined; readonly result: string };

export type Stage = {
  readonly server: ServerAccess;
  /** Sends a request of the API, and shows it with its result. `path` is relative to /v1. */
  post(path: string, body?: Body): Promise<Made>;
  send(method: ApiRequest['method'], path: string, body?: Body): Promise<Made>;
  /** Sends a request to a page outside the API. */
  submit(path: string, body: Body): Promise<void>;
  /** Reads a resource without a step on the screen, because only changes are shown. */
  get<T = Made>(path: string): Promise<T>;
  /** Shows a step that is not a request. */
  show(step: Step): void;
  /** Returns the body of the recipe's main request, with the changes of `--set`. */
  change<T extends Body>(body: T): T;
  tenant(): Promise<string>;
  /** Returns a number of the tenant that can text and call. */
  number(): Promise<OwnNumber>;
  buyNumber(fields?: Body): Promise<OwnNumber>;
  /** Returns an item of the list for which `is` is true, or makes one. By default `is` compares the field `name`. */
  findOrMake<T extends Made = Made>(path: string, body: Body, is?: (found: T) => boolean): Promise<T>;
  /** Reads a resource repeatedly until `is` returns true for it. */
  until(path: string, is: (found: Made) => boolean): Promise<Made>;
};

type StageOptions = {
  readonly server: ServerAccess;
  readonly tenantId: string | undefined;
  readonly changes: readonly Change[];
  show(step: Step): void;
};

const LOOK_MS = 100;
const WAIT_MS = 20_000;
const TENANT = { name: 'Trigger', external_ref: 'dialplane-trigger' } as const;
/** Searches numbers of one area code that can text and call. */
const SEARCH = '/phone_numbers/available?area_code=602&limit=10';

/** Creates the stage of one run. */
export function createStage({ server, tenantId, changes, show }: StageOptions): Stage {
  const call = async <T>(request: ApiRequest): Promise<T> => {
    const { status, body } = await callApi<T>(server, request);
    const id = (body as { id?: string } | null)?.id;
    const result = id === undefined ? String(status) : `${status} ${id}`;
    show({ request: `${request.method} ${request.path}`, body: request.body as Body | undefined, result });
    return body;
  };
  const stage: Stage = {
    server,
    show,
    send: (method, path, body) => call<Made>({ method, path: `${API}${path}`, body }),
    post: (path, body) => stage.send('POST', path, body),
    submit: (path, body) => call({ method: 'POST', path, body }),
    get: async <T>(path: string) => (await callApi<T>(server, { method: 'GET', path: `${API}${path}` })).body,
    change: (body) => applyChanges(body, changes) as typeof body,
    tenant: once(async () => tenantId ?? (await findTenant(stage)).id),
    number: once(() => findNumber(stage)),
    buyNumber: (fields) => buyNumber(stage, fields),
    findOrMake: async <T extends Made>(
      path: string,
      body: Body,
      is: (found: T) => boolean = (found) => found['name'] === body['name'],
    ) => {
      const tenant_id = await stage.tenant();
      const found = await stage.get<{ data: T[] }>(`${path}?tenant_id=${tenant_id}&limit=100`);
      return found.data.find(is) ?? ((await stage.post(path, { tenant_id, ...body })) as T);
    },
    until: (path, is) => waitUntil(stage, path, is),
  };
  return stage;
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find();
    return found;
  };
}

async function findTenant({ get, post }: Stage): Promise<Made> {
  const { data } = await get<{ data: Made[] }>(`/tenants?external_ref=${TENANT.external_ref}&limit=1`);
  return data[0] ?? post('/tenants', TENANT);
}

/** Returns the tenant's oldest number that can text and call. Numbers that recipes buy are newer. */
async function findNumber({ get, tenant, buyNumber }: Stage): Promise<OwnNumber> {
  const { data } = await get<{ data: OwnNumber[] }>(`/phone_numbers?tenant_id=${await tenant()}&limit=100`);
  const isGood = ({ status, capabilities }: OwnNumber) =>
    status === 'active' && ['sms', 'voice'].every((capability) => capabilities.includes(capability));
  return data.findLast(isGood) ?? buyNumber();
}

/** Buys the first number on offer that can text. If another command has bought that number, buys the next one. */
async function buyNumber({ get, post, tenant }: Stage, fields: Body = {}): Promise<OwnNumber> {
  const { data } = await get<{ data: OwnNumber[] }>(SEARCH);
  for (const { phone_number, capabilities } of data) {
    if (!capabilities.includes('sms')) continue;
    try {
      return (await post('/phone_numbers', { tenant_id: await tenant(), phone_number, ...fields })) as OwnNumber;
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'number_unavailable') throw error;
    }
  }
  throw new CommandError('The inventory has no number. POST /v1/test/reset refills it.');
}

async function waitUntil({ get }: Stage, path: string, is: (found: Made) => boolean): Promise<Made> {
  const giveUpAt = monotonicMs() + WAIT_MS;
  for (;;) {
    const found = await get(path);
    if (is(found)) return found;
    if (monotonicMs() > giveUpAt) throw new CommandError(`${path} is ${found.status} after ${WAIT_MS / 1_000} s.`);
    await sleep(LOOK_MS);
  }
}
