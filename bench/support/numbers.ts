/** Numbers for benchmarks: a number that calls and sends, and random recipients. */
import type { Caller } from '../../test/support/caller.ts';

/** Returns the body of a reply. Throws if the reply is an error. */
export async function expectBody(reply: ReturnType<Caller>) {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Buys a number for a new tenant and returns its id. */
export async function buyNumber(call: Caller): Promise<string> {
  const tenant = await expectBody(call('POST', '/v1/tenants', { body: { name: 'Bench' } }));
  const found = await expectBody(call('GET', '/v1/phone_numbers/available?area_code=602&limit=1'));
  const body = { tenant_id: tenant.id, phone_number: found.data[0].phone_number };
  return (await expectBody(call('POST', '/v1/phone_numbers', { body }))).id;
}

/** Returns a random number whose exchange has no extra cost. */
export const person = () => `+1602${5_120_000 + Math.floor(Math.random() * 980_000)}`;
