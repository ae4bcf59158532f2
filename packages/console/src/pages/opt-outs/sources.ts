import type { OptOut } from '@dialplane/sdk/resources';
import type { Api } from '../../api/client.ts';
import { texts } from '../../texts/opt-outs.ts';

const t = texts.sources;

const LIFTABLE: readonly OptOut['source'][] = ['api', 'import'];

/** Returns true if the API may lift an opt-out. Opt-outs of other sources end only by the person's own START. */
export const isLiftable = ({ source }: OptOut) => LIFTABLE.includes(source);

const STOPPED = { text: t.texts, call: t.callsOfSoftware } as const;

/** The channels that an opt-out stops, in words. */
export const stopped = (channels: OptOut['channels']) => channels.map((channel) => STOPPED[channel]).join(', ');

/** Finds the opt-out of a person from the texts of a tenant; null if there is none. */
export async function findOptOut(api: Api, tenantId: string, externalNumber: string): Promise<OptOut | null> {
  const { data } = await api.optOuts.list({ tenant_id: tenantId, external_number: externalNumber, limit: 1 });
  return data[0] ?? null;
}
