import type { Settings } from '../../../context.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { EVENT_TYPES } from '../catalog.ts';
import type { SendTestEvent, UpdateWebhookEndpoint } from './schema.ts';

/**
 * Checks the rules that the schema of an endpoint cannot express: this ledger may call the given address, and the given
 * event types exist. Errors: invalid_url, unknown_event_type with the index of the first unknown type.
 */
export function checkEndpoint(
  settings: Pick<Settings, 'allowLocalWebhooks'>,
  { mode }: Pick<Ledger, 'mode'>,
  { url, enabled_events }: Pick<UpdateWebhookEndpoint, 'url' | 'enabled_events'>,
): void {
  if (url !== undefined) {
    const check = checkTargetUrl(url, { allowLocalHttp: mode === 'test' && settings.allowLocalWebhooks });
    if (!check.ok) throw new ApiError('invalid_url', { param: 'url', message: check.message });
  }
  enabled_events?.forEach((type, index) => {
    checkEventType(type, `enabled_events[${index}]`);
  });
}

/** Returns the types without repeats; null stands for all types. */
export function uniqueTypes(types: readonly string[] | null): string[] | null {
  return types === null ? null : [...new Set(types)];
}

/** Checks that the type of a test event exists. Error: unknown_event_type. */
export function checkTestEvent({ event_type }: SendTestEvent): void {
  if (event_type !== undefined) checkEventType(event_type, 'event_type');
}

/** Returns the type if the catalogue has it. Error: unknown_event_type. */
export function checkEventType<Type extends string>(type: string, param: string): Type {
  if (!(EVENT_TYPES as string[]).includes(type)) {
    throw new ApiError('unknown_event_type', { param, message: `There is no event type "${type.slice(0, 100)}".` });
  }
  return type as Type;
}
