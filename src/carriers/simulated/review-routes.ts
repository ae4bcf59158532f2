import type { Db, Tx } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, Id, Nullable, Text } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Ledger, Scope } from '../../lib/scope.ts';
import { type Static, type TSchema, Type } from '../../lib/type.ts';
import type { BrandReview, CampaignReview, EntityType } from '../ports/registry.ts';
import { brandReview, campaignReview } from './registry.ts';
import {
  decideRegistration,
  REVIEW_MODES,
  type RegistrationRow,
  readReviewMode,
  setReviewMode,
} from './registry-queries.ts';

type Brand = { readonly id: string; readonly entity_type: EntityType };
type Campaign = { readonly id: string; readonly brand_id: string };

/**
 * The functions that these routes need from the domain. `review…` functions resolve with undefined if they change
 * nothing.
 */
export type ReviewDomain = {
  /** The API's schemas of a brand and a campaign. */
  readonly Brand: TSchema;
  readonly Campaign: TSchema;
  /** Errors: brand_not_found, key_not_permitted, tenant_restricted_key. */
  getBrand(db: Db, scope: Scope, id: string): Promise<Brand>;
  /** Errors: campaign_not_found, tenant_restricted_key. */
  getCampaign(db: Db, scope: Scope, id: string): Promise<Campaign>;
  findBrand(db: Db, ledger: Ledger, id: string): Promise<Brand | undefined>;
  /** Returns the ref of the present submission of a campaign. */
  findRegistryRef(db: Db, ledger: Ledger, id: string): Promise<string>;
  reviewBrand(tx: Tx, ledger: Ledger, id: string, review: BrandReview): Promise<Brand | undefined>;
  reviewCampaign(tx: Tx, ledger: Ledger, ref: string, review: CampaignReview): Promise<Campaign | undefined>;
};

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

/** The routes that act as the reviewers of brands and campaigns. */
export function createReviewSimulation(domain: ReviewDomain): RoutePlugin {
  const brandSchema = reviewSchema('brand', Type.Object({ brand_id: Id }), domain.Brand);
  const campaignSchema = reviewSchema('campaign', Type.Object({ campaign_id: Id }), domain.Campaign);
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
      return await write(context, { request, reply, status: 200 }, async (tx) => {
        const { id, entity_type } = await domain.getBrand(tx, scope, params.brand_id);
        // Brands have no status "suspended".
        if (body.result === 'suspended') throw notPending();
        const row = await decide(tx, scope, { ref: id, entityType: entity_type, review: body });
        return (await domain.reviewBrand(tx, scope, id, brandReview(row))) ?? refuse();
      });
    });

    api.post('/test/campaigns/:campaign_id/review', { config, schema: campaignSchema }, async (request, reply) => {
      const { scope, params, body } = request;
      return await write(context, { request, reply, status: 200 }, async (tx) => {
        const { id, brand_id } = await domain.getCampaign(tx, scope, params.campaign_id);
        const brand = await domain.findBrand(tx, scope, brand_id);
        if (brand === undefined) throw new ApiError('brand_not_found');
        const ref = await domain.findRegistryRef(tx, scope, id);
        const row = await decide(tx, scope, { ref, entityType: brand.entity_type, review: body });
        return (await domain.reviewCampaign(tx, scope, ref, campaignReview(row))) ?? refuse();
      });
    });
  };
}

function reviewSchema<Params extends TSchema>(kind: string, params: Params, reviewed: TSchema) {
  return { tags, summary: `Review a ${kind}`, params, body: Review, response: { 200: reviewed } };
}

/** Stores the decision in the registry. If the review changes nothing, the transaction rolls the decision back. */
async function decide(
  tx: Tx,
  ledger: Ledger,
  { ref, entityType, review }: { ref: string; entityType: EntityType; review: Review },
): Promise<RegistrationRow> {
  const status = review.result;
  const reason = status === 'approved' ? null : (review.reason ?? null);
  await decideRegistration(tx, ledger, { ref, status, reason });
  return { entity_type: entityType, status, reason };
}

function notPending(): ApiError {
  return new ApiError('review_not_pending');
}

function refuse(): never {
  throw notPending();
}
