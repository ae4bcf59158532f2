import type { AdapterKind } from '../carriers/adapter.ts';

/** The kinds of carriers that a live ledger can be connected to. None is built yet. */
export const ADAPTER_KINDS: readonly AdapterKind[] = [];
