/** The list of the account's events, with every attempt to deliver them. */
import { checkQuery, PAGE_PARAMETERS, page, Refusal } from './replies.ts';
import type { Route } from './routes.ts';
import type { Attempt, Delivery } from './webhooks.ts';
import type { World } from './world.ts';

const TIMES = ['filter[started_at][gte]', 'filter[started_at][lte]'] as const;
const TIMES_OF_END = ['filter[finished_at][gte]', 'filter[finished_at][lte]'] as const;
const TEXTS = ['filter[status][eq]', 'filter[event_type]'] as const;

/** Returns the operation that lists deliveries, the newest first. */
export function deliveryRoutes({ webhooks, organizationId }: World): readonly Route[] {
  return [
    {
      name: 'GET /webhook_deliveries',
      answer: ({ query }) => {
        checkQuery(query, [...TIMES, ...TIMES_OF_END, ...TEXTS, ...PAGE_PARAMETERS]);
        const shown = webhooks.deliveries().map((delivery) => show(delivery, organizationId));
        return page(shown.filter((each) => fits(each, query)).reverse(), query);
      },
    },
  ];
}

type Shown = ReturnType<typeof show>;

function show({ id, status, event, attempts }: Delivery, user_id: string) {
  return {
    record_type: 'webhook_delivery',
    ...{ id, user_id, status, webhook: event },
    started_at: attempts[0]?.startedAt ?? '',
    finished_at: attempts.at(-1)?.at ?? '',
    attempts: attempts
      .map((attempt) => showAttempt(attempt, attempt === attempts.at(-1) ? status : 'failed'))
      .reverse(),
  };
}

function showAttempt({ url, status: code, startedAt, at }: Attempt, status: Delivery['status']) {
  const request = { url, headers: [['Content-Type', 'application/json']] };
  const http = { request, ...(code !== null && { response: { status: code, headers: [], body: '' } }) };
  return { status, started_at: startedAt, finished_at: at, http };
}

function fits({ status, webhook, started_at, finished_at }: Shown, query: URLSearchParams): boolean {
  const types = query.get('filter[event_type]')?.split(',');
  if (![null, status].includes(query.get('filter[status][eq]') as Shown['status'] | null)) return false;
  if (types !== undefined && !types.includes(webhook.event_type)) return false;
  return isBetween(started_at, query, TIMES) && isBetween(finished_at, query, TIMES_OF_END);
}

function isBetween(text: string, query: URLSearchParams, [from, to]: typeof TIMES | typeof TIMES_OF_END): boolean {
  const ms = Date.parse(text);
  return ms >= timeOf(query, from, Number.NEGATIVE_INFINITY) && ms <= timeOf(query, to, Number.POSITIVE_INFINITY);
}

function timeOf(query: URLSearchParams, parameter: string, usual: number): number {
  const text = query.get(parameter);
  if (text === null) return usual;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Refusal('10015', `${parameter} must be a time by ISO 8601`, { parameter });
  return ms;
}
