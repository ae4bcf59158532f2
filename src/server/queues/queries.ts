import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { IS_FAILING, type WebhookEndpoint } from '../../domain/events/index.ts';

/** A webhook endpoint of any account whose deliveries fail. */
export type FailingEndpointRow = Pick<
  WebhookEndpoint,
  'id' | 'url' | 'tenant_id' | 'status' | 'disabled_reason' | 'failing_since'
> & {
  readonly account_id: string;
  readonly account_name: string;
  readonly mode: 'live' | 'test';
};

// Endpoints of live mode come first. Within a mode, the order is by the time of the last failure, newest first.
const LIST_FAILING = statement(
  'failing_endpoints_list',
  `select e.id, e.url, e.tenant_id, e.status, e.disabled_reason, e.failing_since,
     a.id as account_id, a.name as account_name, l.mode
   from webhook_endpoints e join ledgers l on l.id = e.ledger_id join accounts a on a.id = l.account_id
   where ${IS_FAILING}
   order by l.mode, e.failing_since desc nulls last, e.id desc
   limit $1`,
);

/** Lists the endpoints of all accounts that fail, or that were disabled because they failed. */
export function listFailingEndpoints(db: Db, rows: number): Promise<FailingEndpointRow[]> {
  return db.query(LIST_FAILING, [rows]);
}
