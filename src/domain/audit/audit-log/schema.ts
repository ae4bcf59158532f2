import { Closed, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ACTOR_TYPES, AUDIT_ACTIONS } from './rules.ts';

export const AuditEntry = Type.Object({
  id: Type.String(),
  object: Type.Literal('audit_log_entry'),
  at: Type.Unsafe<Date>({ ...Timestamp, description: 'Wall time, also in test mode.' }),
  actor: Type.Object({
    type: Type.Enum(ACTOR_TYPES),
    id: Type.String({
      description: 'The id of the key, of the user or of the console session, or the command of the operator.',
    }),
    email: Type.Optional(Type.String({ description: 'The address of the user at that time.' })),
  }),
  action: Type.String({ 'x-extensible-enum': AUDIT_ACTIONS }),
  resource_id: Type.String({ description: 'What the action changed.' }),
  tenant_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The tenant of that resource; null for a change of the account.',
  }),
  details: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description: 'More about the action. An update lists the names of the changed fields.',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditLogList = Closed({ ...PageQuery, ...TenantQuery });
