import type { RoutePlugin } from '../../../http/edge/types.ts';
import { formatUsd } from '../../../lib/money.ts';
import { FEE_MICROS, UNIT_OF, USAGE_KINDS } from '../kinds.ts';
import type { Prices } from '../prices.ts';
import { PriceList } from './schema.ts';

const schema = { tags: ['Usage and balance'], summary: 'List prices', response: { 200: PriceList } };

/** Returns the route of the price list: each kind of usage with the price of one unit. */
export function priceRoutes(prices: Prices): RoutePlugin {
  const micros = { ...prices, ...FEE_MICROS };
  const data = USAGE_KINDS.map((kind) => ({ kind, unit: UNIT_OF[kind], amount_usd: formatUsd(micros[kind]) }));
  return (api) => {
    api.get('/prices', { schema }, () => ({ data }));
  };
}
