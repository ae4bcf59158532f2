/** The engine's names of trunks. */
import { createHmac } from 'node:crypto';
import type { SipSettings } from './settings.ts';

const MARK_CHARS = 12;

/**
 * Returns the engine's name of a trunk. The name has a mark that only the engine and the product know, because a called
 * party that redirects its call (3xx) may name a trunk of the engine. The engine's OPTIONS requests show a provider
 * only the mark of its own trunk, over which it may already call any number.
 */
export function endpointOfTrunk({ ariPassword }: Pick<SipSettings, 'ariPassword'>, trunkName: string): string {
  const mark = createHmac('sha256', ariPassword).update(`trunk ${trunkName}`).digest('hex').slice(0, MARK_CHARS);
  return `${earlierEndpointOfTrunk(trunkName)}-${mark}`;
}

/** Returns the name of a trunk in files of an earlier version, which an engine uses until it loads newer files. */
export function earlierEndpointOfTrunk(trunkName: string): string {
  return `trunk-${trunkName}`;
}
