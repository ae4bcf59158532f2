export { Dialplane, type DialplaneOptions } from './client.ts';
export { type ClientErrorCode, DialplaneError, type ErrorCode } from './errors.ts';
export type * from './generated/requests.ts';
export type * from './generated/resources.ts';
export type * from './generated/schemas.ts';
export { Page, Pages } from './pages.ts';
export type { FileBody, RequestOptions } from './requester.ts';
