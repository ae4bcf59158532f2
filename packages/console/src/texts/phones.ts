import { en } from './phones.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('phones', en);
