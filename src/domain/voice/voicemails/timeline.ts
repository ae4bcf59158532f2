import type { TimelineSource } from '../../messaging/index.ts';
import { withAudioLink } from '../recordings/audio-link.ts';
import { listVoicemailsOfConversation } from './queries.ts';
import { Voicemail } from './schema.ts';

/** The voicemails of a thread. */
export const voicemailTimeline: TimelineSource = {
  kind: 'voicemail',
  schema: Voicemail,
  list: async (context, ledger, page) => {
    const rows = await listVoicemailsOfConversation(context.db, ledger, page);
    return rows.map((row) => withAudioLink(context, ledger, 'voicemails', row));
  },
};
