import type { RoutePlugin } from '../../../http/edge/types.ts';
import { ListOf } from '../../../http/schemas/schemas.ts';
import { formatUsd } from '../../../lib/money.ts';
import { Type } from '../../../lib/type.ts';
import { FEE_MICROS, UNIT_OF, USAGE_KINDS, USAGE_UNITS } from '../kinds.ts';
import type { Prices } from '../prices.ts';

const PriceList = ListOf(
  Type.Object({
    kind: Type.Enum(USAGE_KINDS),
    unit: Type.Enum(USAGE_UNITS),
    amount_usd: Type.String({ description: 'The price of one unit, decimal with two to six places' }),
  }),
  USAGE_KINDS.length,
);

const schema = { tags: ['Usage and balance'], summary: 'List prices', response: { 200: PriceList } };

/** Returns the route of the price list: each kind of usage with the price of one unit. */
export function priceRoutes(prices: Prices): RoutePlugin {
  const micros = { ...prices, ...FEE_MICROS };
  const data = USAGE_KINDS.map((kind) => ({ kind, unit: UNIT_OF[kind], amount_usd: formatUsd(micros[kind]) }));
  return (api) => {
    api.get('/prices', { schema }, () => ({ data }));
  };
}
