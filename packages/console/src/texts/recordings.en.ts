/** The texts in English. */
export const en = () => ({
  list: {
    recordings: 'Recordings',
    audioRecordedCalls: 'The audio of recorded calls and of voicemails, newest first.',
    made: 'Made',
    tenant: 'Tenant',
    length: 'Length',
    announcedToBoth: 'Announced to both',
    call: 'Call',
    theCall: 'The call',
    noRecordingsYet: 'No recordings yet',
    tenantNoRecordings: 'This tenant has no recordings',
    callRecordedIf:
      'A call is recorded if its request or its routing says so. Both parties hear an announcement first.',
    yes: 'yes',
    no: 'no',
  },
  recording: {
    recording: 'Recording',
    openTheCall: 'Open the call',
    deleteTheRecording: 'Delete the recording',
    recordingDeleted: 'The recording is deleted.',
    audioDeletedGood:
      'Its audio is deleted for good. If it is the audio of a voicemail, the voicemail is deleted too. The call, its times and its usage stay.',
    audio: 'Audio',
    recordingCall: 'Recording of the call',
    tenant: 'Tenant',
    length: 'Length',
    announcedBothParties: 'Announced to both parties',
    id: 'Id',
  },
});
