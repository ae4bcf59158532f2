import type { Mutation } from './mutation.ts';

const STATE = 'src/domain/messaging/conversations/state.test.ts';
const READERS = 'src/domain/messaging/conversations/readers.test.ts';
const ACTIVITY = 'src/domain/messaging/conversations/activity-queries.ts';

/** Conversations that a team shares. */
export const CONVERSATIONS: readonly Mutation[] = [
  {
    guarantee: 'What a person sends opens a conversation that is done',
    file: ACTIVITY,
    from: `state = case when \${reopens} then 'open' else c.state end,`,
    to: 'state = c.state,',
    tests: [STATE],
  },
  {
    guarantee: 'A snooze that was moved does not end at its first time',
    file: 'src/domain/messaging/conversations/update-conversation.ts',
    from: '  await cancelJobs(tx, ledgerId, [name]);\n',
    to: '',
    tests: [STATE],
  },
  {
    guarantee: 'The state of a conversation is that of its entries in lists by tag and assignee',
    file: 'migrations/0085_conversation_state.sql',
    from: 'set opted_out = new.opted_out, state = new.state, last_activity_at',
    to: 'set opted_out = new.opted_out, last_activity_at',
    tests: [STATE],
  },
  {
    guarantee: 'Inbound texts, missed calls and voicemails are unread until a reader has read them',
    file: ACTIVITY,
    from: 'inbound_count = c.inbound_count + (${reopens})::int,',
    to: 'inbound_count = c.inbound_count,',
    tests: [READERS],
  },
  {
    guarantee: 'A browser session reads as its own reader alone',
    file: 'src/domain/messaging/conversations/readers.ts',
    from: 'if (fixed === null || reader === undefined || reader === fixed)',
    to: 'if (reader !== null)',
    tests: [READERS],
  },
  {
    guarantee: 'A redacted text is gone from the events of its conversation',
    file: ACTIVITY,
    from: `{ ...data, last_message_preview: '' } : undefined`,
    to: 'undefined : undefined',
    tests: ['src/domain/messaging/redaction/api.test.ts'],
  },
  {
    guarantee: 'An erased person is gone from the events of conversations',
    file: 'src/domain/privacy/person-erasures/steps.ts',
    from: 'await scrubEvents(tx, person, await forgetTags(tx, person))',
    to: '(await forgetTags(tx, person)).length',
    tests: ['src/domain/privacy/person-erasures/api.test.ts', 'src/domain/privacy/person-erasures/proof.test.ts'],
  },
];
