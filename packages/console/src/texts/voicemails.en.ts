/** The texts in English. */
export const en = () => ({
  voicemails: {
    voicemails: 'Voicemails',
    whatCallersSaid: 'What callers said after the tone, newest first.',
    noVoicemailsYet: 'No voicemails yet',
    tenantNoVoicemails: 'This tenant has no voicemails',
    callerLeavesOne:
      'A caller can leave one when nobody answers or outside of opening hours, if the routing of the number has a voicemail.',
    voicemailOf: (person: string) => `Voicemail of ${person}`,
    noTranscript: 'It has no transcript.',
    theCall: 'The call',
    theConversation: 'The conversation',
    deleteTheVoicemail: 'Delete the voicemail',
    voicemailDeleted: 'The voicemail is deleted.',
    audioTranscriptDeleted: 'Its audio and its transcript are deleted for good. The call and its times stay.',
  },
});
