import type { Mode } from '../../../lib/scope.ts';
import { makeSecret } from '../api-keys/rules.ts';

/** `svcbs_test_` or `svcbs_live_` and 32 base62 characters (190 bits). */
export const TOKEN_FORM = /^svcbs_(test|live)_[0-9A-Za-z]{32}$/;

/** Makes the token of a new browser session. */
export function makeToken(mode: Mode): string {
  return `svcbs_${mode}_${makeSecret()}`;
}

/** How long a session lasts, in seconds. */
export const LIFE_S = { default: 3_600, min: 60, max: 12 * 3_600 } as const;

export const ORIGINS_MAX = 20;
