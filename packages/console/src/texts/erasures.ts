import { en } from './erasures.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('erasures', en);
