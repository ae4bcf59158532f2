/**
 * The texts about an event type, in one place. The webhook filter, the samples, the OpenAPI document, the SDK's types,
 * the table of docs/webhooks.md and the pages of the server are made from it.
 */
import type { TObject } from '../../../lib/type.ts';

/** The version of the event format, named by its date. An endpoint keeps the version from its creation. */
export const EVENT_VERSION = '2026-11-20';

export type EventEntry = {
  /** The moment of the event. */
  readonly when: string;
  /** Additions to the table of docs/webhooks.md: about the moment, and about the data. */
  readonly docs?: { readonly when?: string; readonly data?: string };
  /**
   * The schema of its data, or the name of a resource. The schema of a resource is in `event-data.ts` of its module.
   */
  readonly data: TObject | string;
  /** A made-up event of this type, for trying out an endpoint. */
  readonly sample: (at: string) => Sample;
};

/** A made-up event, as a receiver sees it. */
export type Sample = {
  readonly tenantId: string | null;
  readonly resourceId: string;
  readonly data: { readonly object: string } & Readonly<Record<string, unknown>>;
};

export type SampleData = Sample['data'];

export const TENANT_ID = 'tnt_01jd5h0s4mp1e0000000000000';
export const NUMBER_ID = 'num_01jd5h0s4mp1e0000000000000';
export const CONVERSATION_ID = 'cnv_01jd5h0s4mp1e0000000000000';
/** The tenant's number. */
export const NUMBER = '+16025550100';
/** The number of the tenant's customer. */
export const PERSON = '+16025550143';
