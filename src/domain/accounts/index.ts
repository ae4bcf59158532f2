export { type CreatedAccount, createAccount } from './accounts/create-account.ts';
export {
  type Account,
  findAccount,
  type LedgerRow,
  listAccounts,
  listLedgers,
  moveAccount,
} from './accounts/queries.ts';
export { type IssuedKey, issueKey, rotateKey } from './api-keys/issue-key.ts';
export {
  type ApiKeyRow,
  expireKeyById,
  findKeyHolder,
  type KeyHolder,
  listKeysOfAccount,
  revokeKeyById,
} from './api-keys/queries.ts';
export { hashKey, KEY_FORM, makeKey } from './api-keys/rules.ts';
