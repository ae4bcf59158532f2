/** Other carriers that ask for numbers of the account. */
import { randomUUID } from 'node:crypto';
import { checkQuery, PAGE_PARAMETERS, page } from './replies.ts';
import type { Route } from './routes.ts';
import { type NumberStatus, nowText, type PortOutStatus } from './state.ts';
import type { World } from './world.ts';

/** The state of a number of the account during its port-out. */
const NUMBER_STATUSES: Readonly<Record<PortOutStatus, NumberStatus>> = {
  pending: 'port-out-pending',
  authorized: 'port-out-pending',
  'rejected-pending': 'port-out-pending',
  ported: 'ported-out',
  rejected: 'active',
  canceled: 'active',
};

const FILTERS = ['filter[status]', 'filter[phone_number]', 'filter[inserted_at][gte]'] as const;

/** Returns the operation that lists the requests, the newest first. */
export function portOutRoutes({ state }: World): readonly Route[] {
  return [
    {
      name: 'GET /portouts',
      answer: ({ query }) => {
        checkQuery(query, [...FILTERS, ...PAGE_PARAMETERS]);
        const [status, phoneNumber, since] = FILTERS.map((filter) => query.get(filter));
        const found = [...state.portOuts.values()].filter(
          (each) =>
            (status == null || each.status === status) &&
            (phoneNumber == null || each.phone_numbers.includes(phoneNumber)) &&
            (since == null || Date.parse(each.inserted_at) >= Date.parse(since)),
        );
        return page(found.reverse(), query);
      },
    },
  ];
}

export type PortOutControls = {
  /** Changes a request for numbers, or makes one if `id` is absent. Reports it to `portOutUrl`. Returns its id. */
  portOut(asked: {
    readonly phoneNumbers: readonly string[];
    readonly status: PortOutStatus;
    readonly id?: string;
    readonly carrierName?: string;
    readonly reason?: string;
  }): Promise<string>;
};

export function portOutControls({ state, settings, webhooks }: World): PortOutControls {
  return {
    portOut: async ({ phoneNumbers, status, id = randomUUID(), carrierName = 'EXAMPLE MOBILE', reason }) => {
      for (const phoneNumber of phoneNumbers) {
        const owned = state.numbers.get(phoneNumber);
        if (owned === undefined) throw new Error(`the account has no number ${phoneNumber}`);
        owned.status = NUMBER_STATUSES[status];
        owned.updated_at = nowText();
      }
      const before = state.portOuts.get(id);
      state.portOuts.set(id, {
        ...{ record_type: 'portout', id, status, phone_numbers: phoneNumbers, carrier_name: carrierName },
        ...{ reason: reason ?? null, inserted_at: before?.inserted_at ?? nowText(), updated_at: nowText() },
      });
      const payload = {
        id,
        status,
        phone_numbers: phoneNumbers,
        carrier_name: carrierName,
        spid: '987F',
        attempted_pin: '4711',
        subscriber_name: 'Dana Reyes',
        user_id: randomUUID(),
        rejection_reason: reason ?? null,
      };
      const urls = settings.portOutUrl === '' ? [] : [settings.portOutUrl];
      webhooks.send({ type: 'portout.status_changed', payload, urls });
      return id;
    },
  };
}
