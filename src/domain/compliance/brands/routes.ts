import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { requireUsNumber } from '../../../lib/phone/us-number.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createBrand } from './create-brand.ts';
import { getBrand } from './get-brand.ts';
import { listBrands } from './queries.ts';
import { createBrandRegistration } from './registration.ts';
import { Brand, BrandList, ConfirmBrandCode, CreateBrand } from './schema.ts';
import { confirmCode, resendCode } from './verification.ts';

const params = Type.Object({ brand_id: Id });
const tags = ['Brands'];

export const brandRoutes: RoutePlugin = (api, context) => {
  const registration = createBrandRegistration(context);

  api.get(
    '/brands',
    { schema: { tags, summary: 'List brands', querystring: BrandList, response: { 200: PageOf(Brand) } } },
    async ({ scope, query }) => {
      const { limit = 25, after, tenant_id } = query;
      const before = idPosition('brands', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      return idPage('brands', await listBrands(context.db, scope, { tenantId, before, rows: limit + 1 }), limit);
    },
  );

  api.post(
    '/brands',
    {
      schema: { tags, summary: 'Create a brand', body: CreateBrand, response: { 201: Brand } },
      preHandler: async ({ body }: { body: CreateBrand }) => requireUsNumber('phone', body.phone),
    },
    (request, reply) => {
      const creation = { scope: request.scope, wanted: request.body, registration };
      return write(context, { request, reply, status: 201 }, createBrand(context, creation));
    },
  );

  api.get(
    '/brands/:brand_id',
    { schema: { tags, summary: 'Get a brand', params, response: { 200: Brand } } },
    ({ scope, params }) => getBrand(context.db, scope, params.brand_id),
  );

  api.post(
    '/brands/:brand_id/verification/resend',
    { schema: { tags, summary: 'Send the code of a sole proprietor again', params, response: { 200: Brand } } },
    (request, reply) => {
      const { scope, params } = request;
      return write(context, { request, reply, status: 200 }, resendCode(context, scope, params.brand_id));
    },
  );

  api.post(
    '/brands/:brand_id/verification/confirm',
    {
      schema: {
        tags,
        summary: 'Confirm the code of a sole proprietor',
        params,
        body: ConfirmBrandCode,
        response: { 200: Brand },
      },
    },
    (request, reply) => {
      const { scope, params, body } = request;
      return write(context, { request, reply, status: 200 }, confirmCode(context, scope, params.brand_id, body.code));
    },
  );
};
