import type { Pages } from '@dialplane/sdk/resources';
import { texts } from '../texts/api.ts';
import { apiOf, operatorApi } from './client.ts';
import type {
  Account,
  AccountCredit,
  AccountStanding,
  ConsoleSession,
  ConsoleSessionWithVersion,
  CreateAccount,
  CreateUser,
  CreditAccount,
  SignIn,
  SignInLink,
  SignInOptions,
  UpdateUser,
  User,
} from './generated/operator-types.ts';

const t = texts.operator;

/** A key of each mode, as text. The API returns the text only when it makes the key. */
export type FirstKeys = { readonly test: string; readonly live: string };

type PageQuery = { limit?: number; after?: string };

/** Reads the session of this browser. Throws invalid_api_key or another 401 code if there is none. */
export const readSession = () => operatorApi.send<ConsoleSessionWithVersion>('GET', '/console/api/session', {});

export const readSignInOptions = () => operatorApi.send<SignInOptions>('GET', '/console/api/sign_in_options', {});

/** Exchanges the token of a sign-in link for a session. */
export const signIn = (token: string) =>
  operatorApi.send<ConsoleSession>('POST', '/console/api/session', {
    body: { token } satisfies SignIn,
    options: { retriesMax: 0 },
  });

export const signOut = () => operatorApi.send<void>('DELETE', '/console/api/session', {});

export const listSessions = (query: PageQuery = {}): Pages<ConsoleSession> =>
  operatorApi.page<ConsoleSession>('/console/api/sessions', { query });

export const revokeSession = (id: string) => operatorApi.send<void>('DELETE', `/console/api/sessions/${id}`, {});

export const listUsers = (query: PageQuery & { account_id?: string } = {}): Pages<User> =>
  operatorApi.page<User>('/console/api/users', { query });

export const createUser = (body: CreateUser) =>
  operatorApi.send<User>('POST', '/console/api/users', { body, options: { retriesMax: 0 } });

export const updateUser = ({ id, ...body }: UpdateUser & { readonly id: string }) =>
  operatorApi.send<User>('PATCH', `/console/api/users/${id}`, { body });

export const removeUser = (id: string) => operatorApi.send<void>('DELETE', `/console/api/users/${id}`, {});

/** Makes a link that signs a user in, once. */
export const createSignInLink = (id: string) =>
  operatorApi.send<SignInLink>('POST', `/console/api/users/${id}/sign_in_link`, { options: { retriesMax: 0 } });

export const listAccounts = (query: PageQuery = {}): Pages<Account> =>
  operatorApi.page<Account>('/console/api/accounts', { query });

/** The state of live mode in each account. */
export const listStandings = (query: PageQuery = {}): Pages<AccountStanding> =>
  operatorApi.page<AccountStanding>('/console/api/account_standings', { query });

export const setSuspended = ({ id, isSuspended }: { readonly id: string; readonly isSuspended: boolean }) =>
  operatorApi.send<Account>('POST', `/console/api/accounts/${id}/${isSuspended ? 'suspend' : 'resume'}`, {});

export const creditAccount = ({ id, ...body }: CreditAccount & { readonly id: string }) =>
  operatorApi.send<AccountCredit>('POST', `/console/api/accounts/${id}/credit`, { body, options: { retriesMax: 0 } });

/** Makes an account without keys. */
export const createAccount = (name: string) =>
  operatorApi.send<Account>('POST', '/console/api/accounts', {
    body: { name } satisfies CreateAccount,
    options: { retriesMax: 0 },
  });

/** Makes a key of each mode for an account. */
export async function createFirstKeys(accountId: string): Promise<FirstKeys> {
  const create = async (mode: 'test' | 'live') =>
    (await apiOf({ accountId, mode }).apiKeys.create({ name: t.firstKey })).key;
  return { test: await create('test'), live: await create('live') };
}
