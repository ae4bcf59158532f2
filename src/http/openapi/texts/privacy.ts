import type { OperationTexts } from './operation-text.ts';

/** Exports and erasures of people. */
export const PRIVACY_TEXTS: OperationTexts = {
  createPersonExport: {
    description:
      'Makes a ZIP file with all that a tenant has about a person: conversations, texts, calls with transcripts, ' +
      'voicemails, submissions of opt-in forms and the opt-out as JSON, and the audio and media files. A background job ' +
      'makes it; `status` is then `completed` and `download_url` opens it. The file is deleted after seven days, and by ' +
      'an erasure of the person.',
    errors: ['tenant_not_found', 'tenant_restricted_key'],
  },
  listPersonExports: {
    description: 'Returns the exports, newest first. None of them names the person.',
    errors: ['tenant_restricted_key'],
  },
  getPersonExport: {
    description: 'Returns an export, with an address of its file that is good for one hour.',
    errors: ['person_export_not_found', 'tenant_restricted_key'],
  },
  getPersonExportFile: {
    description: 'Returns the ZIP file of an export, with a key or by the address of `download_url`.',
    errors: ['person_export_not_found', 'tenant_restricted_key', 'storage_unavailable'],
  },
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
