/** A made-up event of a type, as a receiver sees it, for trying out an endpoint. */
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
