import type { Settings } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { EVENT_TYPES } from '../catalog.ts';

/** The address as given, if it may be called for this ledger. Error: invalid_url. */
export function checkEndpointUrl(settings: Settings, { mode }: Ledger, url: string): string {
  const check = checkTargetUrl(url, { allowLocalHttp: mode === 'test' && settings.allowLocalWebhooks });
  if (!check.ok) throw new ApiError('invalid_url', { param: 'url', message: check.message });
  return url;
}

/** The types, each once; null stands for all. Error: unknown_event_type with the place of the first wrong one. */
export function checkEnabledEvents(types: readonly string[] | null): string[] | null {
  types?.forEach((type, index) => {
    checkEventType(type, `enabled_events[${index}]`);
  });
  return types === null ? null : [...new Set(types)];
}

/** The type, if the catalogue has it. Error: unknown_event_type. */
export function checkEventType<Type extends string>(type: string, param: string): Type {
  if (!(EVENT_TYPES as string[]).includes(type)) {
    throw new ApiError('unknown_event_type', { param, message: `There is no event type "${type.slice(0, 100)}".` });
  }
  return type as Type;
}
