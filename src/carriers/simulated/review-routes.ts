import { type Static, type TSchema, Type } from 'typebox';
import type { Tx } from '../../db/database.ts';
import {
  Brand,
  Campaign,
  findBrand,
  getBrand,
  getCampaign,
  reviewBrand,
  reviewCampaign,
} from '../../domain/compliance/index.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, Id, Nullable, Text } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { EntityType } from '../ports/registry.ts';
import { brandReview, campaignReview } from './registry.ts';
import {
  decideRegistration,
  REVIEW_MODES,
  type RegistrationRow,
  readReviewMode,
  setReviewMode,
} from './registry-queries.ts';

const tags = ['Test mode'];
const config = { testOnly: true } as const;
const accountConfig = { testOnly: true, access: 'account' } as const;
const REASON_CHARS_MAX = 500;

const Review = Closed({
  result: Type.Enum(['approved', 'rejected', 'suspended']),
  reason: Type.Optional(Nullable(Text({ maxLength: REASON_CHARS_MAX }))),
});
type Review = Static<typeof Review>;

const ReviewMode = Type.Object({ object: Type.Literal('test_reviews'), mode: Type.Enum([...REVIEW_MODES]) });
const modeSchema = { tags, summary: 'How reviews go in the test ledger', response: { 200: ReviewMode } };
const setModeSchema = {
  tags,
  summary: 'Approve at once, or leave reviews to be made by hand',
  body: Closed({ mode: Type.Enum([...REVIEW_MODES]) }),
  response: { 200: ReviewMode },
};
/** Of a route that reviews one of a kind. */
const reviewOf = <Params extends TSchema, Reviewed extends TSchema>(
  kind: string,
  params: Params,
  reviewed: Reviewed,
) => ({
  tags,
  summary: `Review a ${kind}`,
  params,
  body: Review,
  response: { 200: reviewed },
});
const brandSchema = reviewOf('brand', Type.Object({ brand_id: Id }), Brand);
const campaignSchema = reviewOf('campaign', Type.Object({ campaign_id: Id }), Campaign);

/** Plays the reviewers of brands and campaigns. */
export function createReviewSimulation(): RoutePlugin {
  return (api, context) => {
    api.get('/test/reviews', { config: accountConfig, schema: modeSchema }, async ({ scope }) => ({
      object: 'test_reviews' as const,
      mode: await readReviewMode(context.db, scope),
    }));

    api.post('/test/reviews', { config: accountConfig, schema: setModeSchema }, async (request, reply) =>
      write(context, { request, reply, status: 200 }, async (tx) => {
        const { mode } = request.body;
        await setReviewMode(tx, request.scope, mode);
        return { object: 'test_reviews' as const, mode };
      }),
    );

    api.post('/test/brands/:brand_id/review', { config, schema: brandSchema }, async (request, reply) => {
      const { scope, params, body } = request;
      return write(context, { request, reply, status: 200 }, async (tx) => {
        const { id, entity_type } = await getBrand(tx, scope, params.brand_id);
        // The machine of brands has no such arrow.
        if (body.result === 'suspended') throw notPending();
        const row = await decide(tx, scope, { id, entityType: entity_type, review: body });
        return (await reviewBrand(tx, scope, id, brandReview(row))) ?? refuse();
      });
    });

    api.post('/test/campaigns/:campaign_id/review', { config, schema: campaignSchema }, async (request, reply) => {
      const { scope, params, body } = request;
      return write(context, { request, reply, status: 200 }, async (tx) => {
        const { id, brand_id } = await getCampaign(tx, scope, params.campaign_id);
        const brand = await findBrand(tx, scope, brand_id);
        if (brand === undefined) throw new ApiError('brand_not_found');
        const row = await decide(tx, scope, { id, entityType: brand.entity_type, review: body });
        return (await reviewCampaign(tx, scope, id, campaignReview(row))) ?? refuse();
      });
    });
  };
}

/** Writes the decision into the registry's books, which the transaction takes back if it turns out to change nothing. */
async function decide(
  tx: Tx,
  ledger: Ledger,
  { id: ref, entityType, review }: { id: string; entityType: EntityType; review: Review },
): Promise<RegistrationRow> {
  const decision = {
    ref,
    status: review.result,
    reason: review.result === 'approved' ? null : (review.reason ?? null),
  };
  await decideRegistration(tx, ledger, decision);
  return { entity_type: entityType, status: decision.status, reason: decision.reason };
}

function notPending(): ApiError {
  return new ApiError('review_not_pending');
}

function refuse(): never {
  throw notPending();
}
