import type { AdapterKind } from '../../carriers/adapter.ts';
import { SIP_KIND } from '../../carriers/sip/index.ts';
import { TELNYX_KIND } from '../../carriers/telnyx/index.ts';

/** The kinds of carriers that a live ledger can be connected to. */
export const ADAPTER_KINDS: readonly AdapterKind[] = [TELNYX_KIND, SIP_KIND];
