import { operatorApi } from './client.ts';

export const CAPABILITIES = ['numbers', 'messaging', 'registry', 'e911', 'porting', 'voice'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** A connection to a carrier, without its credentials. */
export type CarrierConnection = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The only account that may use it; null for all. */
  readonly account_id: string | null;
  readonly status: 'active' | 'draining' | 'disabled';
  readonly settings: Readonly<Record<string, string>>;
  /** What its kind of carrier can do. */
  readonly capabilities: readonly Capability[];
  readonly used_for: readonly { readonly capability: Capability; readonly account_id: string | null }[];
  readonly created_at: string;
};

/** One question of a check, and what was found. */
export type Finding = {
  readonly check: string;
  readonly state: 'good' | 'note' | 'bad';
  readonly found: string;
  readonly advice: string | null;
};

/** A request of which it is not known whether the carrier has carried it out. */
export type OpenRequest = {
  readonly id: string;
  readonly operation: string;
  readonly ref: string;
  readonly attempts: number;
  readonly sent_at: string;
};

export type CarrierNotice = {
  readonly id: string;
  readonly type: string;
  readonly about: string;
  readonly state: 'waiting' | 'done' | 'ignored' | 'dropped';
  readonly received_at: string;
};

/** The counts of one kind of job or lane. */
export type WorkFigures = {
  readonly kind: string;
  readonly due: number;
  readonly running: number;
  readonly failed: number;
  readonly waiting: number;
  readonly oldest_due_seconds: number;
  /** True if there are more than were counted. */
  readonly is_partial: boolean;
};

export const QUEUES = ['messaging', 'voice', 'audio', 'default'] as const;
export type Queue = (typeof QUEUES)[number];

export type Queues = {
  readonly jobs: readonly (WorkFigures & { readonly queue: Queue })[];
  readonly lanes: readonly WorkFigures[];
};

export const JOB_STATES = ['due', 'running', 'failed', 'waiting'] as const;
export type JobState = (typeof JOB_STATES)[number];

export type Job = {
  readonly id: string;
  readonly account_id: string | null;
  readonly mode: 'live' | 'test' | null;
  readonly queue: Queue;
  readonly kind: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly run_at: string;
  readonly due_for_seconds: number;
};

type Listed<T> = { readonly data: readonly T[] };

const CONNECTIONS = '/console/api/connections';

const listOf = async <T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) =>
  (await operatorApi.send<Listed<T>>('GET', path, { query })).data;

export const listConnections = () => listOf<CarrierConnection>(CONNECTIONS);

export const readConnection = (id: string) =>
  operatorApi.send<CarrierConnection>('GET', `${CONNECTIONS}/${encodeURIComponent(id)}`, {});

/** Asks the carrier whether the connection works. It is asked once: a carrier may be slow. */
export const checkConnection = async (id: string) =>
  (
    await operatorApi.send<Listed<Finding>>('POST', `${CONNECTIONS}/${encodeURIComponent(id)}/check`, {
      body: {},
      options: { retriesMax: 0 },
    })
  ).data;

export const listOpenRequests = (id: string) =>
  listOf<OpenRequest>(`${CONNECTIONS}/${encodeURIComponent(id)}/open_requests`);

export type Settlement = { readonly request_id: string; readonly outcome: 'accepted' | 'absent' };

/** Records what a person has found out about a request in doubt. */
export const settleRequest = (id: string, body: Settlement) =>
  operatorApi.send<{ operation: string; ref: string | null }>(
    'POST',
    `${CONNECTIONS}/${encodeURIComponent(id)}/reconcile`,
    { body, options: { retriesMax: 0 } },
  );

export const listNotices = (id: string) => listOf<CarrierNotice>(`${CONNECTIONS}/${encodeURIComponent(id)}/notices`);

export const readQueues = () => operatorApi.send<Queues>('GET', '/console/api/queues', {});

export type JobFilters = { readonly queue?: string; readonly kind?: string; readonly state?: string };

export const listJobs = (filters: JobFilters & { readonly limit: number }) =>
  listOf<Job>('/console/api/jobs', { ...filters });
