import { ListOf } from '../../../http/schemas/schemas.ts';
import { Type } from '../../../lib/type.ts';
import { USAGE_KINDS, USAGE_UNITS } from '../kinds.ts';

export const PriceList = ListOf(
  Type.Object({
    kind: Type.Enum(USAGE_KINDS),
    unit: Type.Enum(USAGE_UNITS),
    amount_usd: Type.String({ description: 'The price of one unit, decimal with two to six places' }),
  }),
  USAGE_KINDS.length,
);
