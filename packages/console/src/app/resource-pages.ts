/** The page for each kind of thing, by the prefix of its id. `{id}` stands for the id. */
const PAGES_BY_PREFIX: Readonly<Record<string, string>> = {
  tnt: 'tenants/{id}',
  num: 'numbers/{id}',
  con: 'contacts/{id}',
  cnv: 'inbox/{id}',
  msg: 'messages/{id}',
  call: 'calls/{id}',
  rec: 'recordings/{id}',
  que: 'queues/{id}',
  wcl: 'web-clients/{id}',
  rtc: 'routing/{id}',
  brd: 'brands/{id}',
  cmp: 'campaigns/{id}',
  port: 'port-ins/{id}',
  oif: 'forms/{id}',
  whe: 'webhooks/{id}',
  evt: 'events/{id}',
  req: 'requests/{id}',
};

/** The API paths of pages whose path differs. */
const API_PATHS: Readonly<Record<string, string>> = {
  numbers: 'phone_numbers',
  inbox: 'conversations',
  routing: 'routing_configs',
  'port-ins': 'port_ins',
  forms: 'opt_in_forms',
  webhooks: 'webhook_endpoints',
  requests: 'request_log',
};

/** The API returns these things only in lists. */
const LISTED_ONLY = 'web-clients';

/** Returns the API path of the thing with this id. Undefined if the API has no such path, or the console no page. */
export function apiPathOfId(id: string): string | undefined {
  const [folder = ''] = pageOfId(id)?.split('/') ?? [];
  return folder === '' || folder === LISTED_ONLY ? undefined : `/v1/${API_PATHS[folder] ?? folder}/${id}`;
}

/**
 * Returns the path of the page for the thing with this id. Undefined if there is no such page, or the text is not an
 * id.
 */
export function pageOfId(id: string): string | undefined {
  const [, prefix] = /^([a-z]+)_[0-9a-z]+$/.exec(id) ?? [];
  return prefix === undefined ? undefined : PAGES_BY_PREFIX[prefix]?.replace('{id}', id);
}
