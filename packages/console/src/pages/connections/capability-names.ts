import type { Capability } from '../../api/installation.ts';

/** The possible uses of a connection to a carrier, in words. */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  numbers: 'Numbers',
  messaging: 'Texts',
  registry: '10DLC',
  e911: 'E911',
  porting: 'Port-ins',
  voice: 'Calls',
};
export const CAPABILITIES = Object.keys(CAPABILITY_NAMES) as readonly Capability[];
