import type { OperationTexts } from './operation-text.ts';

/** Erasures of people. */
export const PRIVACY_TEXTS: OperationTexts = {
  createPersonErasure: {
    description:
      'Removes a person from a tenant: texts with their files, conversations, the content of calls, recordings, ' +
      'voicemails, transcripts, the data of stored events, stored replies to requests, and submissions of opt-in forms ' +
      'that are older than five years. It concerns what is older than the request. Opt-outs, usage, the balance and ' +
      'the audit log stay, and so does this erasure, without the number. A call shows `anonymous` in place of the ' +
      'number. A background job does the work in small steps; `status` is `completed` once all is gone, audio ' +
      'included. A call that runs and a text on its way are waited for.',
    errors: ['tenant_not_found', 'tenant_restricted_key'],
  },
  listPersonErasures: {
    description: 'Returns the erasures, newest first. None of them names the person.',
    errors: ['tenant_restricted_key'],
  },
  getPersonErasure: {
    description: 'Returns an erasure with what it has removed so far.',
    errors: ['person_erasure_not_found', 'tenant_restricted_key'],
  },
};
