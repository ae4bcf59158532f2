/** The data of the events of texts and opt-outs, by event type. */
import { Type } from '../../lib/type.ts';
import { Message } from './messages/schema.ts';
import { OptOut } from './opt-outs/schema.ts';

const FailedMessage = Type.Object({
  ...Message.properties,
  failure_reason: Type.String({ description: 'The same as error_code' }),
});

export const messagingEventData = {
  'message.received': Message,
  'message.sent': Message,
  'message.delivered': Message,
  'message.failed': FailedMessage,
  'opt_out.created': OptOut,
  'opt_out.removed': OptOut,
};
