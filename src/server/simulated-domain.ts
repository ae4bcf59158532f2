import type { SimulatedDomain } from '../carriers/simulated/index.ts';
import {
  Brand,
  Campaign,
  findBrand,
  getBrand,
  getCampaign,
  reviewBrand,
  reviewCampaign,
} from '../domain/compliance/index.ts';
import {
  BODY_CHARS_MAX,
  findInboundByCarrierRef,
  findMessage,
  isBodyTooLong,
  Message,
} from '../domain/messaging/index.ts';
import { findOwnedNumber, PortIn, playPortInReport } from '../domain/numbers/index.ts';

/** The parts of the domain that the routes of the simulated carrier use. */
export const SIMULATED_DOMAIN: SimulatedDomain = {
  messages: {
    Message,
    bodyCharsMax: BODY_CHARS_MAX,
    isBodyTooLong,
    findMessage,
    findInboundByCarrierRef,
    findOwnedNumber,
  },
  reviews: { Brand, Campaign, getBrand, getCampaign, findBrand, reviewBrand, reviewCampaign },
  portIns: { PortIn, playPortInReport },
};
