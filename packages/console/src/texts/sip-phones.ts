import { en } from './sip-phones.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('sipPhones', en);
