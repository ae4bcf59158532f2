/** The authors of changes: an API key, an operator at the command line, a user, or a console session of no user. */
export const ACTOR_TYPES = ['key', 'operator', 'console', 'user'] as const;

/** The recorded changes, named by their resource. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.suspended',
  'account.resumed',
  'account.credited',
  'account.limited',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'console_session.created',
  'console_session.ended',
  'user.added',
  'user.changed',
  'user.removed',
  'tenant.created',
  'tenant.updated',
  'tenant.deleted',
  'phone_number.ordered',
  'phone_number.updated',
  'phone_number.released',
  'phone_number.imported',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'carrier_connection.added',
  'carrier_connection.changed',
  'carrier_connection.chosen',
  'carrier_connection.drained',
  'carrier_connection.disabled',
  'carrier_connection.enabled',
  'call_listener.created',
  'call_listener.deleted',
  'message.redacted',
  'note.deleted',
  'recording.deleted',
  'voicemail.deleted',
  'transcript.deleted',
  'person_erasure.created',
  'person_export.created',
  'test_ledger.reset',
  'notice.settled',
  'notice.reopened',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Wall time to keep entries. */
export const AUDIT_LOG_KEPT = '400 days';

/** Returns the names of the fields whose values differ. Values never enter the audit log: they may be secret. */
export function changedFields(before: object, after: object): string[] {
  const former = before as Readonly<Record<string, unknown>>;
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name]))
    .map(([name]) => name);
}
