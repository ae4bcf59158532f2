export { creditAccount } from './balance/credit-account.ts';
export { chargeFee } from './balance/post-entries.ts';
export { BALANCE_SQL } from './balance/queries.ts';
export { checkBalance, requireBalance } from './balance/require-balance.ts';
export { balanceRoutes } from './balance/routes.ts';
export { Balance } from './balance/schema.ts';

export { FEE_MICROS } from './kinds.ts';
export { priceRoutes } from './price-list/routes.ts';
export { type Prices, readPrices, STANDARD_PRICES } from './prices.ts';
export { billingSweeps } from './sweeps.ts';
export { meterUsage } from './usage/meter-usage.ts';
export { USAGE_COLUMNS } from './usage/queries.ts';
export { usageRoutes } from './usage/routes.ts';
