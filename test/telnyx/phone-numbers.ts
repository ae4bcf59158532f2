import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText, type OwnedNumber, type State } from './state.ts';

type NumberChange = {
  readonly connection_id?: string;
  readonly customer_reference?: string;
  readonly tags?: readonly string[];
};

type MessagingChange = { readonly messaging_profile_id?: string };

/** Returns the operations on the numbers that the account has. */
export function phoneNumberRoutes(state: State): readonly Route[] {
  const find = (id = '') =>
    orNotFound([...state.numbers.values()].find((each) => each.id === id && each.status !== 'deleted'));
  return [
    { name: 'GET /phone_numbers', answer: ({ query }) => list(state, query) },
    { name: 'GET /phone_numbers/{id}', answer: ({ params }) => ok(shown(state, find(params.id))) },
    {
      name: 'PATCH /phone_numbers/{id}',
      answer: ({ params, body }) => {
        const owned = find(params.id);
        const { connection_id, customer_reference, tags } = body as NumberChange;
        owned.connection_id = connection_id ?? owned.connection_id;
        owned.customer_reference = customer_reference ?? owned.customer_reference;
        owned.tags = tags ?? owned.tags;
        owned.updated_at = nowText();
        return ok(shown(state, owned));
      },
    },
    { name: 'GET /phone_numbers/{id}/messaging', answer: ({ params }) => ok(messagingOf(find(params.id))) },
    {
      name: 'PATCH /phone_numbers/{id}/messaging',
      answer: ({ params, body }) => setMessaging(state, find(params.id), body as MessagingChange),
    },
    {
      name: 'DELETE /phone_numbers/{id}',
      answer: ({ params }) => {
        const owned = find(params.id);
        if (owned.deletion_lock_enabled) throw new Refusal('10015', 'the number is locked against deletion');
        owned.status = 'deleted';
        owned.messaging_profile_id = null;
        owned.updated_at = nowText();
        return ok(shown(state, owned));
      },
    },
  ];
}

function list(state: State, query: URLSearchParams): Reply {
  const filters = ['phone_number', 'status', 'customer_reference'] as const;
  checkQuery(query, [...filters.map((name) => `filter[${name}]`), ...PAGE_PARAMETERS]);
  const found = [...state.numbers.values()].filter(
    (owned) =>
      owned.status !== 'deleted' && filters.every((name) => [null, owned[name]].includes(query.get(`filter[${name}]`))),
  );
  // The newest is the first.
  const newestFirst = found.reverse().map((owned) => shown(state, owned));
  return page(newestFirst, query);
}

function setMessaging(state: State, owned: OwnedNumber, { messaging_profile_id: id }: MessagingChange): Reply {
  if (id !== undefined && id !== '' && !state.profiles.has(id)) {
    throw new Refusal('10015', 'the messaging profile does not exist', { pointer: '/messaging_profile_id' });
  }
  // An empty text takes the number out of its profile.
  if (id !== undefined) owned.messaging_profile_id = id === '' ? null : id;
  owned.updated_at = nowText();
  return ok(messagingOf(owned));
}

function shown(state: State, owned: OwnedNumber): unknown {
  const profile = state.profiles.get(owned.messaging_profile_id ?? '');
  const { purchased_at: created_at } = owned;
  return { ...owned, created_at, external_pin: '', messaging_profile_name: profile?.name ?? null };
}

function messagingOf({ id, phone_number, phone_number_type, messaging_profile_id, updated_at }: OwnedNumber): unknown {
  const sms = { domestic_two_way: true, international_inbound: true, international_outbound: true };
  return {
    record_type: 'messaging_settings',
    id,
    phone_number,
    country_code: 'US',
    type: phone_number_type === 'toll_free' ? 'toll-free' : 'long-code',
    messaging_product: 'A2P',
    messaging_profile_id,
    features: { sms, mms: { ...sms, international_inbound: false, international_outbound: false } },
    updated_at,
  };
}
