/** Lets an agent answer a number of test mode until a command ends. */
import { CommandError } from '../../command.ts';
import { API, callApi, RefusedError, type ServerAccess } from '../server-access.ts';

type OwnNumber = {
  readonly id: string;
  readonly phone_number: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly routing_config_id: string | null;
};
type Page = { readonly data: readonly OwnNumber[]; readonly next_cursor: string | null };
type Routing = { readonly id: string; readonly name: string };

export type Routed = {
  readonly number: string;
  /** Restores the previous routing of the number. */
  restore(): Promise<void>;
};

/**
 * The name of our routing config. The id of the previous routing config follows it. If a run was killed, the next run
 * restores the previous config by this id.
 */
const NAME = 'dialplane relay, before: ';
const NONE = 'none';

/** Routes a number to the agent at `url`. */
export async function routeNumber(server: ServerAccess, number: string, url: string): Promise<Routed> {
  const owned = await findNumber(server, number);
  const current = owned.routing_config_id === null ? undefined : await readRouting(server, owned.routing_config_id);
  const isOurs = current?.name.startsWith(NAME) === true;
  const before = isOurs ? current.name.slice(NAME.length) : (current?.id ?? NONE);
  const { id } = await send<Routing>(server, 'POST', '/routing_configs', {
    tenant_id: owned.tenant_id,
    name: `${NAME}${before}`,
    open_behavior: { type: 'relay', url },
  });
  const route = (routing: string) =>
    send(server, 'PATCH', `/phone_numbers/${owned.id}`, { routing_config_id: routing === NONE ? null : routing });
  await route(id);
  if (isOurs) await send(server, 'DELETE', `/routing_configs/${current.id}`);
  return {
    number: owned.phone_number,
    restore: async () => {
      const { routing_config_id } = await read<OwnNumber>(server, `/phone_numbers/${owned.id}`);
      // A change of the routing that was made since then stays.
      if (routing_config_id === id) await route(before);
      await send(server, 'DELETE', `/routing_configs/${id}`);
    },
  };
}

async function findNumber(server: ServerAccess, number: string): Promise<OwnNumber> {
  for (let after = ''; ; ) {
    const page = await read<Page>(server, `/phone_numbers?limit=100${after}`);
    const found = page.data.find(({ phone_number, status }) => phone_number === number && status === 'active');
    if (found !== undefined) return found;
    if (page.next_cursor === null) throw new CommandError(`${number} is no number of this account in test mode.`);
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}

const read = async <T>(server: ServerAccess, path: string): Promise<T> =>
  (await callApi<T>(server, { method: 'GET', path: `${API}${path}` })).body;

const send = async <T>(
  server: ServerAccess,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> => (await callApi<T>(server, { method, path: `${API}${path}`, body })).body;

async function readRouting(server: ServerAccess, id: string): Promise<Routing | undefined> {
  try {
    return await read(server, `/routing_configs/${id}`);
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'routing_config_not_found') return undefined;
    throw error;
  }
}
