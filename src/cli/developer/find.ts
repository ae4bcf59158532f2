/** `dialplane find`: the results of the API's search, for people. */
import { PROGRAM } from '../../lib/program.ts';
import { type Command, show } from '../command.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS, ACCESS_USAGE, API, callApi, findServer } from './server-access.ts';

type Found = {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly tenant_id: string;
};

export const findCommand: Command = {
  name: 'find',
  usage: `TEXT [--tenant TENANT_ID] ${ACCESS_USAGE}`,
  summary: 'Find tenants, contacts, numbers and conversations by name, number, reference or id',
  positionals: 1,
  options: ['tenant', ...ACCESS_OPTIONS],
  meanings: { tenant: 'Search only this tenant', ...ACCESS_MEANINGS },
  examples: [`${PROGRAM} find "sam or"`, `${PROGRAM} find "(602) 555-0143"`],
  run: async (args, terminal) => {
    const [q = ''] = args.positionals;
    const { tenant } = args.options;
    const query = new URLSearchParams({ q, ...(tenant !== undefined && { tenant_id: tenant }) });
    const wanted = { method: 'GET', path: `${API}/search?${query}` } as const;
    const { data } = (await callApi<{ data: Found[] }>(findServer(args, terminal), wanted)).body;
    if (data.length === 0 && !terminal.json) {
      terminal.out(
        `Nothing is found for "${q}" among the names, numbers, references and ids${tenant ? ` of ${tenant}` : ''}.`,
      );
      return 1;
    }
    show(terminal, data, ['object', 'title', 'detail', 'id', 'tenant_id']);
    return 0;
  },
};
