import { en } from './tenants.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('tenants', en);
