/** The texts in English. */
export const en = () => ({
  erasePerson: {
    erasureBegun: 'The erasure has begun.',
    erase: (externalNumber: string) => `Erase ${externalNumber}?`,
    eraseThePerson: 'Erase the person',
    textsConversationsNotes:
      'Texts, conversations, notes, what was said in calls, recordings, voicemails, and the data of events of this person and tenant are deleted for good. This cannot be undone.',
    optOutsUsage: 'Opt-outs, usage and the audit log stay.',
    eraseAPerson: 'Erase a person',
    continue: 'Continue',
    theirNumber: 'Their number',
  },
  list: {
    counts: {
      messages: (count: number) => `${count} texts`,
      conversations: (count: number) => `${count} conversations`,
      notes: (count: number) => `${count} notes`,
      contacts: (count: number) => `${count} contacts`,
      calls: (count: number) => `${count} calls`,
      recordings: (count: number) => `${count} recordings`,
      voicemails: (count: number) => `${count} voicemails`,
      opt_in_submissions: (count: number) => `${count} form submissions`,
      events: (count: number) => `${count} events`,
    },
    eraseAPerson: 'Erase a person',
    erasures: 'Erasures',
    peopleWhoWere: 'People who were removed from a tenant. An erasure does not name the person once it is completed.',
    askedFor: 'Asked for',
    tenant: 'Tenant',
    status: 'Status',
    removed: 'Removed',
    completed: 'Completed',
    noPersonWas: 'No person was erased',
    noPersonTenant: 'No person of this tenant was erased',
    erasureRemovesTexts: 'An erasure removes the texts, calls and audio of a person. Opt-outs and usage stay.',
  },
});
