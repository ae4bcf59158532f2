/** The possible targets of a transfer: web clients of the tenant, and agents of its queues. */
import type { Queue, WebClient } from '@dialplane/sdk';
import { type Api, type Page, Refusal } from '../api.ts';

type AgentState = Queue['agents'][number]['state'];

export type Colleague = {
  /** The id of a web client, a number in E.164, or the address of a telephone. */
  readonly address: string;
  /** Null for an agent without a name; its address is shown instead. */
  readonly name: string | null;
  /** The state of the agent. Null if it is in no queue, because only queues know it. */
  readonly state: AgentState | null;
};

/** If a colleague is in several queues, the first of these states counts. */
const STATES: readonly AgentState[] = ['busy', 'ringing', 'available', 'wrap_up', 'away'];
const PAGES_MAX = 5;

export class Colleagues {
  list: readonly Colleague[] = [];
  readonly #api: Api;
  readonly #onChange: () => void;

  constructor(api: Api, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  nameOf(address: string): string | undefined {
    return this.list.find((colleague) => colleague.address === address)?.name ?? undefined;
  }

  /** Forgets everything, for a change of the session. */
  clear(): void {
    this.list = [];
  }

  /** Reads all colleagues except the person's own web client. After a failure the previous list stays. */
  async read(own: string | null): Promise<void> {
    try {
      const [clients, queues] = await Promise.all([
        this.#readAll<WebClient>('/web_clients'),
        this.#readAll<Queue>('/queues'),
      ]);
      this.list = colleaguesOf(clients, queues).filter(({ address }) => address !== own);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    this.#onChange();
  }

  async #readAll<Row>(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = await this.#api.get<Page<Row>>(path, { limit: 100, after });
      rows.push(...page.data);
      if (page.next_cursor === null) break;
      after = page.next_cursor;
    }
    return rows;
  }
}

function colleaguesOf(clients: readonly WebClient[], queues: readonly Queue[]): Colleague[] {
  const found = new Map<string, Colleague>();
  for (const { id, name, status } of clients) {
    if (status === 'active') found.set(id, { address: id, name, state: null });
  }
  for (const { agent: address, state } of queues.flatMap(({ agents }) => agents)) {
    const known = found.get(address);
    // A revoked web client stays in its queues.
    if (known === undefined && address.startsWith('wcl_')) continue;
    const before = known?.state ?? null;
    const isFirst = before === null || STATES.indexOf(state) < STATES.indexOf(before);
    found.set(address, { address, name: known?.name ?? null, state: isFirst ? state : before });
  }
  return [...found.values()].sort(
    (colleague, other) => rank(colleague) - rank(other) || labelOf(colleague).localeCompare(labelOf(other)),
  );
}

/** Available colleagues come first, then colleagues with an unknown state, then unavailable colleagues. */
const rank = ({ state }: Colleague): number => (state === 'available' ? 0 : state === null ? 1 : 2);
const labelOf = ({ name, address }: Colleague): string => name ?? address;
