export { setAccountRate, setAccountStatus } from './accounts/change-account.ts';
export { type CreatedAccount, createAccount } from './accounts/create-account.ts';
export {
  type Account,
  findAccount,
  isAccountHere,
  listAccounts,
  listLedgers,
  listLiveLedgers,
  updateAccountRate,
  updateAccountStatus,
} from './accounts/queries.ts';
export { accountRoutes } from './accounts/routes.ts';
export { ACCOUNT_STATUSES } from './accounts/rules.ts';
export { revokeTenantKeys } from './api-keys/change-keys.ts';
export { type IssuedKey, issueKey, rotateKey } from './api-keys/issue-key.ts';
export { createKeyDirectory, forgetAllKeys, type KeyWatch } from './api-keys/key-directory.ts';
export {
  type ApiKeyRow,
  expireKeyById,
  listKeysOfAccount,
  revokeKeyById,
} from './api-keys/queries.ts';
export { apiKeyRoutes } from './api-keys/routes.ts';
export { OVERLAP_S, OVERLAP_S_MAX } from './api-keys/rules.ts';
export { revokeTenantSessions } from './browser-sessions/change-sessions.ts';
export { browserSessionRoutes } from './browser-sessions/routes.ts';
export { consoleSessionRoutes, signInOptionsRoute } from './console-sessions/routes.ts';
export { LINK_LIFE_S, START_LINK_LIFE_S } from './console-sessions/rules.ts';
export { createSessionDirectory } from './console-sessions/session-directory.ts';
export { makeSignInLink } from './console-sessions/sign-in-link.ts';
export type { OidcSettings } from './oidc/provider.ts';
export { oidcPages } from './oidc/routes.ts';
export { browserSessionSweeps, consoleSweeps } from './sweeps.ts';
export { changeUser, createUser, removeUser } from './users/change-users.ts';
export { findUserByEmail, listAllUsers } from './users/queries.ts';
export { userRoutes } from './users/routes.ts';
export { readEmail, USER_ROLES, type UserRole } from './users/rules.ts';
