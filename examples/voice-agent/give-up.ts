import type { Dialplane } from '@dialplane/sdk';

/** The one way out of any failure: the caller gets the voicemail, or else the call ends. */
export async function giveUp(client: Dialplane, callId: string, log: (line: string) => void, error: Error) {
  log(`failed: ${error.message}; passing the caller to the voicemail`);
  try {
    await client.calls.transfer(callId, { to: 'voicemail' });
  } catch (refusal) {
    log(`no voicemail: ${(refusal as Error).message}; ending the call`);
    await client.calls.hangUp(callId).catch(({ message }) => log(`not ended: ${message}`));
  }
}
