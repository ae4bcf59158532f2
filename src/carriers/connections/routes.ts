/** Routes in the console's own API. Operators read and change connections to carriers with them. */

import type { Db } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Id, ListOf } from '../../http/schemas/schemas.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { PHONES_MAX } from '../../lib/phone/agent-address.ts';
import { Type } from '../../lib/type.ts';
import type { AdapterKind } from '../adapter.ts';
import { listOpenRequests, OPEN_AFTER_MS, settleByHand } from '../book/queries.ts';
import { listNotices } from '../inbox/queries.ts';
import { type AlarmRow, listAlarms } from './alarm-queries.ts';
import { checkConnection } from './check-connection.ts';
import { type ConnectionRow, type DefaultRow, findConnectionById, listConnections, listDefaults } from './queries.ts';
import {
  ALARMS_SHOWN,
  CarrierConnection,
  CarrierNotice,
  CheckConnection,
  CONNECTIONS_MAX,
  ConnectionFinding,
  OpenCarrierRequest,
  ReconcileConnection,
  ReconciledRequest,
  Telephone,
  USES_SHOWN,
} from './schema.ts';
import { readTelephones } from './telephones.ts';

const tags = ['Connections'];
const config = { access: 'operator' } as const;
const params = Type.Object({ connection_id: { ...Id, description: 'The id of the connection.' } });
/** How long to wait for a carrier's answer to a check. */
const CHECK_LIMIT_MS = 20_000;
/** The most findings that are shown. A check of 16 engines with 16 trunks each has fewer. */
const FINDINGS_SHOWN = 1_000;
const NOTICES_SHOWN = 50;
const REQUESTS_SHOWN = 100;

const SILENT = {
  ...{ check: 'connection', state: 'bad' as const, found: `no answer within ${CHECK_LIMIT_MS / 1000} s` },
  advice: 'Check that this machine reaches the carrier.',
};

/** Returns the routes of connections. `kinds` are the kinds of carriers that this program knows. */
export const connectionRoutes =
  (kinds: readonly AdapterKind[]): RoutePlugin =>
  (api, context) => {
    const { db, cipher } = context;

    api.get(
      '/connections',
      {
        config,
        schema: {
          tags,
          summary: 'List connections to carriers',
          response: { 200: ListOf(CarrierConnection, CONNECTIONS_MAX) },
        },
      },
      async () => {
        const [rows, all] = [await listConnections(db), await readUse(db)];
        return { data: rows.map((row) => shown(kinds, row, all)) };
      },
    );

    api.get(
      '/connections/:connection_id',
      { config, schema: { tags, summary: 'Get a connection', params, response: { 200: CarrierConnection } } },
      async ({ params: { connection_id } }) => shown(kinds, await getConnection(db, connection_id), await readUse(db)),
    );

    const check = { params, body: CheckConnection, response: { 200: ListOf(ConnectionFinding, FINDINGS_SHOWN) } };
    api.post(
      '/connections/:connection_id/check',
      { config, schema: { tags, summary: 'Ask the carrier whether a connection works', ...check } },
      async ({ params: { connection_id } }) => {
        const row = await getConnection(db, connection_id);
        const checking = checkConnection({ kinds, db, cipher: () => cipher }, row);
        if (!(await endsWithin(checking, CHECK_LIMIT_MS))) return { data: [SILENT] };
        return {
          data: (await checking)
            .slice(0, FINDINGS_SHOWN)
            .map(({ connection: _, ...finding }) => ({ advice: null, ...finding })),
        };
      },
    );

    const telephones = { params, response: { 200: ListOf(Telephone, PHONES_MAX) } };
    api.get(
      '/connections/:connection_id/telephones',
      { config, schema: { tags, summary: 'List the telephones at the engines of a connection', ...telephones } },
      async ({ params: { connection_id } }) => ({
        data: await readTelephones(kinds, db, await getConnection(db, connection_id)),
      }),
    );

    recordRoutes(api, context);
  };

/** The routes of a connection's stored records: requests in doubt, and notices. */
const recordRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/connections/:connection_id/open_requests',
    {
      config,
      schema: {
        tags,
        summary: 'List requests in doubt',
        params,
        response: { 200: ListOf(OpenCarrierRequest, REQUESTS_SHOWN) },
      },
    },
    async ({ params }) => {
      const { id } = await getConnection(db, params.connection_id);
      const rows = await listOpenRequests(db, { connectionId: id, olderMs: OPEN_AFTER_MS, rows: REQUESTS_SHOWN });
      return { data: rows.map(({ connection: _, ...row }) => ({ object: 'carrier_request' as const, ...row })) };
    },
  );

  const reconcile = { params, body: ReconcileConnection, response: { 200: ReconciledRequest } };
  api.post(
    '/connections/:connection_id/reconcile',
    { config, schema: { tags, summary: 'Settle a request in doubt', ...reconcile } },
    async ({ params, body: { request_id, outcome } }) => {
      const { id: connectionId } = await getConnection(db, params.connection_id);
      const settled = await db.transaction((tx) => settleByHand(tx, { id: request_id, connectionId }, outcome));
      if (settled === undefined) throw new ApiError('carrier_request_not_found');
      return { id: request_id, object: 'carrier_request' as const, ...settled, outcome };
    },
  );

  api.get(
    '/connections/:connection_id/notices',
    {
      config,
      schema: {
        tags,
        summary: 'List the latest notices',
        params,
        response: { 200: ListOf(CarrierNotice, NOTICES_SHOWN) },
      },
    },
    async ({ params }) => {
      const { id } = await getConnection(db, params.connection_id);
      const rows = await listNotices(db, id, NOTICES_SHOWN);
      return { data: rows.map((row) => ({ object: 'carrier_notice' as const, ...row })) };
    },
  );
};

async function getConnection(db: Db, id: string): Promise<ConnectionRow> {
  const row = await findConnectionById(db, id);
  if (row === undefined) throw new ApiError('connection_not_found');
  return row;
}

/** The default connections for new objects, and the open alarms. */
type Use = { readonly defaults: readonly DefaultRow[]; readonly alarms: readonly AlarmRow[] };

async function readUse(db: Db): Promise<Use> {
  return { defaults: await listDefaults(db), alarms: await listAlarms(db) };
}

function shown(
  kinds: readonly AdapterKind[],
  { credentials: _, ...row }: ConnectionRow,
  { defaults, alarms: all }: Use,
) {
  const known = kinds.find(({ description }) => description.kind === row.kind);
  const uses = defaults.filter(({ connection_id }) => connection_id === row.id);
  const used_for = uses.slice(0, USES_SHOWN).map(({ capability, account_id }) => ({ capability, account_id }));
  const capabilities = [...(known?.description.capabilities ?? [])];
  const ofConnection = all.filter((alarm) => alarm.connection_id === row.id).slice(0, ALARMS_SHOWN);
  const alarms = ofConnection.map(({ connection_id: _, ...alarm }) => alarm);
  return { object: 'carrier_connection' as const, ...row, capabilities, used_for, alarms };
}
