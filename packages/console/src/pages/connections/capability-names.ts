import type { Capability } from '../../api/installation.ts';
import { texts } from '../../texts/connections.ts';

const t = texts.capabilityNames;

/** The possible uses of a connection to a carrier, in words. */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  numbers: t.numbers,
  messaging: t.texts,
  registry: '10DLC',
  e911: 'E911',
  porting: t.portIns,
  voice: t.calls,
};
export const CAPABILITIES = Object.keys(CAPABILITY_NAMES) as readonly Capability[];
