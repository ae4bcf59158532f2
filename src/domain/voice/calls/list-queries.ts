import type { Db } from '../../../db/database.ts';
import { byMoment, isOf, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import type { Position, Range } from '../../../http/schemas/pagination.ts';
import { CALL_COLUMNS, type InLedger } from './queries.ts';
import { CALL_DIRECTIONS, type Call, type CallDirection } from './schema.ts';
import { CALL_OUTCOMES, CALL_STATUSES, type CallOutcome, type CallStatus } from './state/call.ts';
import type { RouteReason } from './state/call-route.ts';

export type ListedCall = Positioned<Call>;

// The indexes have the same expressions, so that the planner can use them.
const OUTCOME = `coalesce(c.outcome, '')`;
const EXTERNAL = `(case c.direction when 'inbound' then c."from" else c."to" end)`;

const LIST = {
  name: 'calls_list',
  from: ['calls', 'c'],
  columns: CALL_COLUMNS,
  order: byMoment('c.started_at'),
  filters: {
    phoneNumberId: 'c.phone_number_id = ?',
    direction: 'c.direction = ?',
    status: 'c.status = ?',
    outcome: `${OUTCOME} = ?`,
    routeReason: 'c.route_reason = ?',
  },
} as const;

const STATE = [{ sql: 'c.direction' }, { sql: 'c.status' }, { sql: OUTCOME }];

const readList = tenantReader<ListedCall>(LIST, STATE);
const readNumber = listReader<ListedCall>(LIST, { name: 'number', keys: [{ sql: 'c.phone_number_id' }, ...STATE] });
const readExternal = listReader<ListedCall>(LIST, { name: 'external', keys: [{ sql: EXTERNAL }] });
const readTenantExternal = listReader<ListedCall>(LIST, {
  name: 'tenant_external',
  keys: [{ sql: 'c.tenant_id' }, { sql: EXTERNAL }],
});
// Only inbound calls have a route.
const ROUTE_STATE = [{ sql: 'c.route_reason' }, { sql: 'c.status' }, { sql: OUTCOME }];
const HAS_ROUTE = 'c.route_reason is not null';
const readRoute = listReader<ListedCall>(LIST, { name: 'route', keys: ROUTE_STATE, where: HAS_ROUTE });
const readTenantRoute = listReader<ListedCall>(LIST, {
  name: 'tenant_route',
  keys: [{ sql: 'c.tenant_id' }, ...ROUTE_STATE],
  where: HAS_ROUTE,
});
const readNumberRoute = listReader<ListedCall>(LIST, {
  name: 'number_route',
  keys: [{ sql: 'c.phone_number_id' }, ...ROUTE_STATE],
  where: HAS_ROUTE,
});
const readConversation = listReader<ListedCall>(LIST, {
  name: 'conversation',
  keys: [{ sql: 'c.conversation_id' }],
  where: 'c.conversation_id is not null',
});

export type CallFilter = {
  tenantId: string | null;
  number: { readonly id: string; readonly tenant_id: string } | null;
  direction: CallDirection | null;
  status: CallStatus | null;
  outcome: CallOutcome | null;
  routeReason: RouteReason | null;
  externalNumber: string | null;
};
type Page = { range?: Range; before: Position; rows: number };

/** Returns calls, newest first. */
export function listCalls(db: Db, { ledgerId }: InLedger, filter: CallFilter, page: Page): Promise<ListedCall[]> {
  const { number, externalNumber, direction, status, outcome, routeReason } = filter;
  const tenantId = filter.tenantId ?? number?.tenant_id ?? null;
  const isPossible = number === null || isOf(number, tenantId);
  if (externalNumber !== null) {
    const filters = { phoneNumberId: number?.id, direction, status, outcome, routeReason };
    if (tenantId === null) return readExternal(db, ledgerId, { ...page, arms: [[externalNumber]], filters });
    const arms = isPossible ? [[tenantId, externalNumber]] : [];
    return readTenantExternal(db, ledgerId, { ...page, arms, filters });
  }
  if (routeReason !== null) return listRoutedCalls(db, { ledgerId }, { ...filter, tenantId, routeReason }, page);
  const states = statesOf(filter);
  if (number !== null) {
    const arms = isPossible ? states.map((state) => [number.id, ...state]) : [];
    return readNumber(db, ledgerId, { ...page, arms });
  }
  return readList(db, ledgerId, { tenantId, ...page, arms: states });
}

/** Returns calls whose route has a reason, newest first. They are inbound. */
function listRoutedCalls(
  db: Db,
  { ledgerId }: InLedger,
  filter: CallFilter & { readonly routeReason: RouteReason },
  page: Page,
): Promise<ListedCall[]> {
  const { number, tenantId, direction, routeReason } = filter;
  const isPossible = direction !== 'outbound' && (number === null || isOf(number, tenantId));
  const states = isPossible ? endsOf(filter).map((end) => [routeReason, ...end]) : [];
  if (number !== null)
    return readNumberRoute(db, ledgerId, { ...page, arms: states.map((state) => [number.id, ...state]) });
  if (tenantId === null) return readRoute(db, ledgerId, { ...page, arms: states });
  return readTenantRoute(db, ledgerId, { ...page, arms: states.map((state) => [tenantId, ...state]) });
}

/** Returns calls of a conversation, newest first. */
export function listCallsOfConversation(
  db: Db,
  { ledgerId }: InLedger,
  { conversationId, ...page }: Page & { conversationId: string },
): Promise<ListedCall[]> {
  return readConversation(db, ledgerId, { ...page, arms: [[conversationId]] });
}

const RUNNING: readonly CallStatus[] = ['dialing', 'ringing', 'in_progress'];

/** The values of STATE_KEY of calls that have not ended. A running call has no outcome. */
export const RUNNING_STATES = CALL_DIRECTIONS.flatMap((direction) =>
  RUNNING.map((status) => `${direction}/${status}/`),
);

/** Returns each direction, status and outcome that a call may have under the filter. */
function statesOf(filter: CallFilter): readonly (readonly string[])[] {
  const directions = CALL_DIRECTIONS.filter((direction) => filter.direction === null || direction === filter.direction);
  return directions.flatMap((direction) => endsOf(filter).map((end) => [direction, ...end]));
}

/** Returns each status and outcome that a call may have under the filter. A running call has no outcome. */
function endsOf({ status, outcome }: CallFilter): readonly (readonly string[])[] {
  const statuses = CALL_STATUSES.filter((candidate) => status === null || candidate === status);
  const outcomes = CALL_OUTCOMES.filter((candidate) => outcome === null || candidate === outcome);
  return statuses.flatMap((candidate) => {
    if (!RUNNING.includes(candidate)) return outcomes.map((candidateOutcome) => [candidate, candidateOutcome]);
    return outcome === null ? [[candidate, '']] : [];
  });
}
