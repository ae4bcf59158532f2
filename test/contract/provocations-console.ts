import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { signIn } from '../support/console.ts';
import { addConnection } from '../support/live-network.ts';
import { get, type Provoke, post } from './provocation.ts';

/** Errors of the console's own API. */
export const CONSOLE: Partial<Record<ErrorCode, Provoke>> = {
  invalid_sign_in_link: () =>
    post('/console/api/session', { token: 'x' }, { key: null, headers: { 'dialplane-console': '1' } }),
  not_signed_in: () => get('/console/api/session', { key: null }),
  cross_site_request: () => post('/console/api/session', { token: 'x' }, { key: null }),
  operator_required: async ({ harness }) => {
    const { cookie } = await signIn(harness, harness.account.id);
    const headers = { cookie, 'dialplane-console': '1' };
    return post('/console/api/accounts', { name: 'x' }, { key: null, headers });
  },
  account_not_found: async ({ harness }) => {
    const { cookie } = await signIn(harness);
    return get('/console/api/ledgers/acct_none/test/v1/tenants', { key: null, headers: { cookie } });
  },
  user_not_found: async ({ harness }) => {
    const { cookie } = await signIn(harness);
    const headers = { cookie, 'dialplane-console': '1' };
    return { method: 'DELETE', path: '/console/api/users/usr_none', key: null, headers };
  },
  email_taken: async ({ harness }) => {
    const { call, cookie } = await signIn(harness);
    const body = { email: 'twice@example.com', role: 'operator' };
    await call('POST', '/users', { body });
    const headers = { cookie, 'dialplane-console': '1' };
    return post('/console/api/users', body, { key: null, headers, param: 'email' });
  },
  connection_not_found: async ({ harness }) => {
    const { cookie } = await signIn(harness);
    return get('/console/api/connections/ccn_none', { key: null, headers: { cookie } });
  },
  carrier_request_not_found: async ({ harness }) => {
    const { cookie } = await signIn(harness);
    const headers = { cookie, 'dialplane-console': '1' };
    const id = await addConnection(harness.context, { name: newId('carrier_connection'), capabilities: [] });
    const body = { request_id: 'crq_none', outcome: 'absent' };
    return post(`/console/api/connections/${id}/reconcile`, body, { key: null, headers });
  },
  console_session_not_found: async ({ harness }) => {
    const { cookie } = await signIn(harness);
    const headers = { cookie, 'dialplane-console': '1' };
    return { method: 'DELETE', path: '/console/api/sessions/cns_none', key: null, headers };
  },
};
