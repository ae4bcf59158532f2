import { textsOf } from './texts.ts';
import { en } from './usage.en.ts';

export const texts = textsOf('usage', en);
