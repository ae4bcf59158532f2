import type { Campaign, CheckCampaign, CheckCampaignReply } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { useDebounced } from '../../lib/debounced.ts';
import type { AdviceEntry } from '../../ui/advice.tsx';

/** A campaign while it is written. */
export type CampaignDraft = {
  readonly tenant_id: string | null;
  readonly brand_id: string | null;
  readonly use_case: Campaign['use_case'];
  readonly description: string;
  readonly sample_messages: readonly string[];
  readonly opt_in_description: string;
};

export const SAMPLES_MIN = 2;
export const SAMPLES_MAX = 5;

/** After this pause the person has stopped typing. */
const SETTLED_MS = 400;
/** Stands for a field without text, because the check requires text. Findings about such a field are left out. */
const NOTHING = '…';

const isBlank = (text: string) => text.trim() === '';

/** Returns the objections that a reviewer is likely to have, by field. An empty field has no findings. */
export function useFindings(draft: CampaignDraft): ReadonlyMap<string, AdviceEntry[]> {
  const settled = useDebounced(draft, SETTLED_MS);
  const hasText = [settled.description, settled.opt_in_description, ...settled.sample_messages].some(
    (text) => !isBlank(text),
  );
  const { data } = useRead(['campaign_check', settled], (api) => api.campaigns.check(checkOf(settled)), {
    enabled: hasText,
    keepsPrevious: true,
  });
  return hasText && data !== undefined ? byField(data, settled) : new Map();
}

function checkOf({ tenant_id, brand_id, use_case, ...texts }: CampaignDraft): CheckCampaign {
  const filled = (text: string) => (isBlank(text) ? NOTHING : text);
  return {
    ...(tenant_id !== null && { tenant_id }),
    ...(brand_id !== null && { brand_id }),
    use_case,
    description: filled(texts.description),
    sample_messages: texts.sample_messages.filter((text) => !isBlank(text)),
    opt_in_description: filled(texts.opt_in_description),
  };
}

/** The check does not get blank samples, so its positions are mapped to the positions on the page. */
function byField({ findings }: CheckCampaignReply, draft: CampaignDraft): Map<string, AdviceEntry[]> {
  const positions = draft.sample_messages.flatMap((text, index) => (isBlank(text) ? [] : [index]));
  const fieldOf = (field: string) =>
    field.replace(/^sample_messages\[(\d+)\]$/, (_, position) => `sample_messages[${positions[Number(position)]}]`);
  const isFilled = (field: string) => {
    if (field === 'description' || field === 'opt_in_description') return !isBlank(draft[field]);
    return field !== 'sample_messages' || positions.length > 0;
  };
  const shown = findings
    .filter(({ field }) => isFilled(field))
    .map((finding) => ({ ...finding, field: fieldOf(finding.field) }));
  return Map.groupBy(shown, ({ field }) => field);
}
/** Returns the body of a request. It leaves out empty fields, so that the API reports them. */
export function bodyOf({ tenant_id, brand_id, ...texts }: CampaignDraft) {
  return {
    ...(tenant_id !== null && { tenant_id }),
    ...(brand_id !== null && { brand_id }),
    ...texts,
    sample_messages: [...texts.sample_messages],
  };
}
