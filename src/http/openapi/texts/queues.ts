import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { OperationTexts } from './operation-text.ts';

const QUEUE: readonly ErrorCode[] = ['queue_not_found', 'tenant_restricted_key'];
const PARTIES: readonly ErrorCode[] = ['web_client_not_found', 'destination_not_supported'];

/** Queues and their agents. */
export const QUEUE_TEXTS: OperationTexts = {
  listQueues: {
    description: 'Returns the queues, newest first, each with its callers and agents as they are now.',
    errors: ['tenant_restricted_key'],
  },
  createQueue: {
    description:
      'Creates a queue: callers wait with hold audio, and free agents ring for them in the order of their arrival. ' +
      'Calls come to it by a behavior `{"type": "queue", "queue_id": …}` of a routing config, a menu or the overflow of ' +
      'another queue. `overflow` follows for a caller whom nobody answers: a voicemail by default.',
    errors: ['tenant_not_found', 'tenant_restricted_key', 'queue_not_found', ...PARTIES],
  },
  getQueue: {
    description:
      'Returns a queue as it is now: how many callers wait, how long the first of them has waited, and what each agent ' +
      'does.',
    errors: QUEUE,
  },
  updateQueue: {
    description:
      'Changes the given fields of a queue. `agents` is replaced as a whole; agents that stay keep their availability. A ' +
      'caller who waits keeps the times and the overflow with which it was counted in. An overflow that leads back to ' +
      'the queue is refused.',
    errors: [...QUEUE, ...PARTIES],
  },
  deleteQueue: {
    description:
      'Deletes a queue. It must have no waiting callers, and no routing config or other queue may lead to it.',
    errors: [...QUEUE, 'queue_in_use'],
  },
  setQueueAgentAvailability: {
    description:
      'Sets whether an agent takes callers of the queue. `agent` is as in the list of the queue. An agent that is set to ' +
      'away while it rings or talks continues that call. The service sets busy and wrap-up automatically.',
    errors: QUEUE,
  },
};
