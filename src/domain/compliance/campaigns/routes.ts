import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { checkCampaign } from './check-campaign.ts';
import { getCampaign } from './get-campaign.ts';
import { listCampaigns } from './queries.ts';
import { createCampaignRegistration, type OnCampaignRegistered } from './registration.ts';
import { Campaign, CampaignCheck, CampaignList, CheckCampaign, CreateCampaign, UpdateCampaign } from './schema.ts';
import { createCampaign, draftCampaign, submitCampaign } from './submit-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

const params = Type.Object({ campaign_id: Id });
const tags = ['Campaigns'];

const listSchema = { tags, summary: 'List campaigns', querystring: CampaignList, response: { 200: PageOf(Campaign) } };
const createSchema = { tags, summary: 'Create a campaign', body: CreateCampaign, response: { 201: Campaign } };
const checkSchema = {
  tags,
  summary: 'What would a reviewer object to?',
  body: CheckCampaign,
  response: { 200: CampaignCheck },
};
const getSchema = { tags, summary: 'Get a campaign', params, response: { 200: Campaign } };
const updateSchema = {
  tags,
  summary: 'Change a draft or a rejected campaign',
  params,
  body: UpdateCampaign,
  response: { 200: Campaign },
};
const submitSchema = {
  tags,
  summary: 'Submit a draft for review, or a rejected campaign again',
  params,
  response: { 200: Campaign },
};

/** Returns the routes of campaigns. `onRegistered` is called when the registry has accepted a campaign. */
export function campaignRoutes(onRegistered: OnCampaignRegistered): RoutePlugin {
  const registration = createCampaignRegistration(onRegistered);
  return (api, context) => {
    api.get('/campaigns', { schema: listSchema }, async ({ scope, query }) => {
      const { limit = 25, after, tenant_id, status = null } = query;
      const before = idPosition('campaigns', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const rows = await listCampaigns(context.db, scope, { tenantId, status, before, rows: limit + 1 });
      return idPage('campaigns', rows, limit);
    });

    api.post('/campaigns', { schema: createSchema }, async (request, reply) => {
      const { scope, body: wanted } = request;
      const exchange = { request, reply, status: 201 } as const;
      if (wanted.draft) return await write(context, exchange, (tx) => draftCampaign(context, tx, { scope, wanted }));
      return await write(context, exchange, createCampaign(context, { scope, wanted, registration }));
    });

    api.post(
      '/campaigns/check',
      { config: { unlogged: 'console', hasNoEffect: true }, schema: checkSchema },
      (request, reply) => {
        const outside = () => checkCampaign(context, request.scope, request.body);
        return write(context, { request, reply, status: 200 }, { outside, keepsSlot: true });
      },
    );

    api.get('/campaigns/:campaign_id', { schema: getSchema }, ({ scope, params }) =>
      getCampaign(context.db, scope, params.campaign_id),
    );

    api.patch('/campaigns/:campaign_id', { schema: updateSchema }, async (request, reply) => {
      const change = { id: request.params.campaign_id, change: request.body };
      return await write(context, { request, reply, status: 200 }, (tx) => updateCampaign(tx, request.scope, change));
    });

    api.post('/campaigns/:campaign_id/submit', { schema: submitSchema }, (request, reply) => {
      const submission = { scope: request.scope, id: request.params.campaign_id, registration };
      return write(context, { request, reply, status: 200 }, submitCampaign(context, submission));
    });
  };
}
