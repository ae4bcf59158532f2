/** The data of texts and opt-outs in events, by the names in the event catalogue's entries. */
import { Type } from '../../lib/type.ts';
import { ChangedConversation } from './conversations/schema.ts';
import { Message } from './messages/schema.ts';
import { OptOut } from './opt-outs/schema.ts';

const FailedMessage = Type.Object({
  ...Message.properties,
  failure_reason: Type.String({ description: 'The same as error_code' }),
});

export const messagingEventData = {
  message: Message,
  failed_message: FailedMessage,
  changed_conversation: ChangedConversation,
  opt_out: OptOut,
};
