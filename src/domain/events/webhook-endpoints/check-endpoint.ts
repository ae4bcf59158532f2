import type { Settings } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { EVENT_TYPES } from '../catalog.ts';
import type { CreateWebhookEndpoint, SendTestEvent } from './schema.ts';

/**
 * What a schema cannot say of an endpoint's fields: its address may be called for this ledger, and the event types
 * exist. Errors: invalid_url, unknown_event_type with the place of the first wrong one.
 */
export function checkEndpoint(
  settings: Pick<Settings, 'allowLocalWebhooks'>,
  { mode }: Pick<Ledger, 'mode'>,
  { url, enabled_events }: Pick<CreateWebhookEndpoint, 'url' | 'enabled_events'>,
): void {
  const check = checkTargetUrl(url, { allowLocalHttp: mode === 'test' && settings.allowLocalWebhooks });
  if (!check.ok) throw new ApiError('invalid_url', { param: 'url', message: check.message });
  enabled_events?.forEach((type, index) => {
    checkEventType(type, `enabled_events[${index}]`);
  });
}

/** The types, each once; null stands for all. */
export function eachTypeOnce(types: readonly string[] | null): string[] | null {
  return types === null ? null : [...new Set(types)];
}

/** Of a test event: its type exists. Error: unknown_event_type. */
export function checkTestEvent({ event_type }: SendTestEvent): void {
  if (event_type !== undefined) checkEventType(event_type, 'event_type');
}

/** The type, if the catalogue has it. Error: unknown_event_type. */
export function checkEventType<Type extends string>(type: string, param: string): Type {
  if (!(EVENT_TYPES as string[]).includes(type)) {
    throw new ApiError('unknown_event_type', { param, message: `There is no event type "${type.slice(0, 100)}".` });
  }
  return type as Type;
}
