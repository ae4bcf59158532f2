import { operatorApi } from './client.ts';
import type {
  CarrierConnection,
  CarrierNotice,
  CarrierRequest,
  CarrierRequestWithAttempts,
  ConnectionFinding,
  FailingEndpoint,
  Job,
  Queues,
  ReconcileConnection,
  Telephone,
} from './generated/operator-types.ts';

/** The possible uses of a connection. */
export type Capability = CarrierConnection['used_for'][number]['capability'];
export type Queue = Job['queue'];
export type JobState = Job['state'];
/** The counts of one kind of job or lane. */
export type WorkFigures = Queues['lanes'][number];

type Listed<T> = { readonly data: readonly T[] };

const CONNECTIONS = '/console/api/connections';

const listOf = async <T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) =>
  (await operatorApi.send<Listed<T>>('GET', path, { query })).data;

export const listConnections = () => listOf<CarrierConnection>(CONNECTIONS);

export const readConnection = (id: string) =>
  operatorApi.send<CarrierConnection>('GET', `${CONNECTIONS}/${encodeURIComponent(id)}`, {});

/** Asks the carrier whether the connection works. Without retries, because a carrier may be slow. */
export const checkConnection = async (id: string) =>
  (
    await operatorApi.send<Listed<ConnectionFinding>>('POST', `${CONNECTIONS}/${encodeURIComponent(id)}/check`, {
      body: {},
      options: { retriesMax: 0 },
    })
  ).data;

export const listOpenRequests = (id: string) =>
  listOf<CarrierRequestWithAttempts>(`${CONNECTIONS}/${encodeURIComponent(id)}/open_requests`);

/** Records a person's finding about a request in doubt. */
export const settleRequest = (id: string, body: ReconcileConnection) =>
  operatorApi.send<CarrierRequest>('POST', `${CONNECTIONS}/${encodeURIComponent(id)}/reconcile`, {
    body,
    options: { retriesMax: 0 },
  });

export const listNotices = (id: string) => listOf<CarrierNotice>(`${CONNECTIONS}/${encodeURIComponent(id)}/notices`);

/** Returns the telephones at the engines of a connection; none for a carrier without engines. */
export const listTelephones = (id: string) => listOf<Telephone>(`${CONNECTIONS}/${encodeURIComponent(id)}/telephones`);

export const readQueues = () => operatorApi.send<Queues>('GET', '/console/api/queues', {});

/** The webhook endpoints of all accounts that fail. */
export const listFailingEndpoints = () => listOf<FailingEndpoint>('/console/api/failing_endpoints');

export type JobFilters = { readonly queue?: string; readonly kind?: string; readonly state?: string };

export const listJobs = (filters: JobFilters & { readonly limit: number }) =>
  listOf<Job>('/console/api/jobs', { ...filters });
