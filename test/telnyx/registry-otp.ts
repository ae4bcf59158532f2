/** The codes that prove that a sole proprietor has the stated phone. */
import { randomInt, randomUUID } from 'node:crypto';
import { flat, RegistryRefusal } from './registry-replies.ts';
import { changeBrand } from './registry-reports.ts';
import type { Brand } from './registry-state.ts';
import { orNotFound, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

/** The number that codes come from. */
const SENDER = '+18885550100';
const PLACE_OF_PIN = '@OTP_PIN@';

/** Returns the operations on the codes of sole proprietors. */
export function otpRoutes(world: World): readonly Route[] {
  const { brands, otps } = world.state;
  const find = (id = ''): Brand => {
    const brand = orNotFound(brands.get(id));
    if (brand.entityType === 'SOLE_PROPRIETOR') return brand;
    throw new RegistryRefusal(['path', 'brandId'], 'only sole proprietors have a code');
  };
  return [
    {
      name: 'POST /10dlc/brand/{brandId}/smsOtp',
      answer: ({ params, body }) =>
        send(world, find(params['brandId']), body as { readonly pinSms: string; readonly successSms: string }),
    },
    {
      name: 'PUT /10dlc/brand/{brandId}/smsOtp',
      answer: ({ params, body }) => verify(world, find(params['brandId']), (body as { otpPin: string }).otpPin),
    },
    {
      name: 'GET /10dlc/brand/{brandId}/smsOtp',
      answer: ({ params }) => {
        const { brandId, mobilePhone } = find(params['brandId']);
        const { pin, successText, ...shown } = orNotFound(otps.get(brandId));
        return flat({
          ...shown,
          mobilePhone,
          deliveryStatusDate: shown.requestDate,
        });
      },
    },
  ];
}

/** Texts a new code; the one before is void. */
function send(world: World, brand: Brand, { pinSms, successSms }: { pinSms: string; successSms: string }): Reply {
  if (!pinSms.includes(PLACE_OF_PIN)) throw new RegistryRefusal(['body', 'pinSms'], `${PLACE_OF_PIN} is missing`);
  if (brand.status !== 'OK') throw new RegistryRefusal(['path', 'brandId'], 'the brand is not registered');
  if (brand.identityStatus === 'VERIFIED') throw new RegistryRefusal(['path', 'brandId'], 'the brand is verified');
  const { brandId } = brand;
  const pin = String(randomInt(100_000, 1_000_000));
  const referenceId = `OTP${randomUUID().slice(0, 6).toUpperCase()}`;
  world.state.otps.set(brandId, {
    referenceId,
    brandId,
    pin,
    successText: successSms,
    requestDate: nowText(),
    deliveryStatus: world.state.codesFail ? 'DELIVERY_FAILED' : 'DELIVERED_HANDSET',
    verifyDate: null,
  });
  if (!world.state.codesFail) textTo(world, brand, pinSms.replace(PLACE_OF_PIN, pin));
  return flat({ brandId, referenceId });
}

function verify(world: World, brand: Brand, pin: string): Reply {
  const otp = world.state.otps.get(brand.brandId);
  const isVoid = otp === undefined || otp.verifyDate !== null || otp.deliveryStatus === 'EXPIRED';
  if (isVoid || otp.pin !== pin) {
    throw new RegistryRefusal(['body', 'otpPin'], 'the code is wrong or has expired');
  }
  otp.verifyDate = nowText();
  changeBrand(world, brand, { identityStatus: 'VERIFIED' }, 'TCR_BRAND_UPDATE');
  textTo(world, brand, otp.successText);
  return { status: 200 };
}

function textTo({ state }: World, { mobilePhone = '' }: Brand, text: string): void {
  const received = { from: SENDER, text, media_urls: [], message_id: null, at: nowText() };
  state.handsets.set(mobilePhone, [...(state.handsets.get(mobilePhone) ?? []), received]);
}
