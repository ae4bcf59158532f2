/** The texts in English. */
export const en = () => ({
  browserName: {
    unknown: 'Unknown browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
  },
  /** Why texts fail, by `error_code`. The table of docs/messaging.md says the same, and a test compares both. */
  failures: {
    carrier_rejected: {
      why: 'The carrier refused it, or could not deliver it and gave no better reason',
      next: 'Check the number and the content, then send it once more. If it fails again, ask the carrier, with its code if there is one',
    },
    send_failed: {
      why: 'The carrier could not take it at any attempt, or it may no longer be sent',
      next: 'See whether the number is still active, and have the operator check the connection to the carrier. Then send it again: the person has not got it',
    },
    unreachable: {
      why: 'The handset cannot be reached, or the number takes no texts',
      next: 'Check the number. If it is a landline or was given up, call or write instead; otherwise try again in some hours',
    },
    spam_blocked: {
      why: 'A filter stopped it',
      next: 'Do not repeat the same text. Name the sender, leave out short links and all that the campaign does not describe, and send less at once',
    },
    daily_cap_exceeded: {
      why: 'The campaign’s daily limit was used up, here or at the person’s carrier',
      next: 'Send it after midnight in Pacific time. If that happens often, ask for a better vetting of the brand',
    },
    expired: {
      why: 'The carrier stopped waiting for the handset; or the message waited four hours for its campaign; or the carrier did not say for nearly four hours whether it has the message',
      next: 'The person may have it: ask before it is sent again. If texts wait for the campaign, spread them over the day',
    },
    recipient_opted_out: {
      why: 'The person opted out while the text was scheduled or queued',
      next: 'Do not send it again. The person can text START',
    },
    campaign_suspended: {
      why: 'The campaign of the number was suspended while the text was scheduled or queued',
      next: 'See why on the page of the campaign, and mend that. Then send it again, or from a number with an approved campaign',
    },
    insufficient_balance: {
      why: 'The balance was used up when the text was due',
      next: 'Have the operator credit the account, then send it again',
    },
  },
  /** Must equal the English previews that the server writes. */
  previews: {
    call: 'Call',
    missedCall: 'Missed call',
    voicemail: (length: string) => `Voicemail, ${length}`,
    files: (count: number) => (count === 1 ? '[media]' : `[${count} media]`),
  },
  otherFailure: {
    why: (code: string) => `It failed with ${code}`,
    next: 'Read what the documentation says about the code',
  },
});
