/** The kinds of notices. Each needs an operator. */
export const NOTICE_KINDS = ['emergency_call', 'port_out', 'failing_endpoint', 'connection'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Identifies a notice. `state` changes with each new call, request or series of failures of the subject. */
export type NoticeKey = { readonly kind: NoticeKind; readonly subject_id: string; readonly state: string };
