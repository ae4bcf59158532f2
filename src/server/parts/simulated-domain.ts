import type { SimulatedDomain } from '../../carriers/simulated/index.ts';
import {
  Brand,
  Campaign,
  findBrand,
  findRegistryRef,
  getBrand,
  getCampaign,
  reviewBrand,
  reviewCampaign,
} from '../../domain/compliance/index.ts';
import {
  BODY_CHARS_MAX,
  findInboundByCarrierRef,
  findMessage,
  isBodyTooLong,
  Message,
} from '../../domain/messaging/index.ts';
import {
  findE911Address,
  findOwnedNumber,
  PhoneNumber,
  PortIn,
  simulatePortInReport,
  simulatePortOut,
} from '../../domain/numbers/index.ts';
import {
  actAtWebClient,
  Call,
  chooseNode,
  findCall,
  hasWaitingCommands,
  isWithoutVoicemail,
} from '../../domain/voice/index.ts';

/** The parts of the domain that the simulated carrier uses. */
export const SIMULATED_DOMAIN: SimulatedDomain = {
  messages: {
    Message,
    bodyCharsMax: BODY_CHARS_MAX,
    isBodyTooLong,
    findMessage,
    findInboundByCarrierRef,
    findOwnedNumber,
  },
  reviews: { Brand, Campaign, getBrand, getCampaign, findBrand, findRegistryRef, reviewBrand, reviewCampaign },
  portIns: { PortIn, simulatePortInReport },
  portOuts: { PhoneNumber, simulatePortOut },
  calls: {
    Call,
    findCall,
    hasWaitingCommands,
    isWithoutVoicemail,
    chooseNode,
    findOwnedNumber,
    findE911Address,
    actAtWebClient,
  },
};
