/** The request for how a call would be routed, and its reply. */
import { Closed, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { CallBehavior } from './behavior-schema.ts';
import { EVALUATED_DIGITS_MAX, MENU_KEYS, TARGETS_MAX } from './rules.ts';

export const EvaluateRoutingConfig = Closed({
  at: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'RFC 3339; the present by default' }),
  ),
  digits: Type.Optional(
    Type.String({
      maxLength: EVALUATED_DIGITS_MAX,
      pattern: `^[${MENU_KEYS}]*$`,
      form: 'keys of a phone: digits, * and #',
      description: 'Keys that the caller presses in menus, in this order',
    }),
  ),
});
export type EvaluateRoutingConfig = Static<typeof EvaluateRoutingConfig>;

/** How a call that arrives at a moment would be routed. */
export const RoutingEvaluation = Type.Object({
  at: Timestamp,
  open: Type.Boolean(),
  behavior: CallBehavior,
  path: Type.Optional(Type.String({ description: 'With `digits`: those of them that chose an option, in order' })),
  targets: Type.Array(Type.String(), {
    maxItems: TARGETS_MAX,
    description: 'Targets that would ring, in order; empty if `behavior` is no ring',
  }),
});
export type RoutingEvaluation = Static<typeof RoutingEvaluation>;
