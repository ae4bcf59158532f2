/** Other carriers that ask for numbers of the account. */
import { randomUUID } from 'node:crypto';
import { type NumberStatus, nowText } from './state.ts';
import type { World } from './world.ts';

type PortOutStatus = 'pending' | 'authorized' | 'ported' | 'rejected' | 'rejected-pending' | 'canceled';

/** What a number of the account is meanwhile. */
const NUMBER_STATUSES: Readonly<Record<PortOutStatus, NumberStatus>> = {
  pending: 'port-out-pending',
  authorized: 'port-out-pending',
  'rejected-pending': 'port-out-pending',
  ported: 'ported-out',
  rejected: 'active',
  canceled: 'active',
};

export type PortOutControls = {
  /** Changes a request for numbers, a new one without an id, and reports it to `portOutUrl`. Returns its id. */
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
