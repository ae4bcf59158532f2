import { en } from './e911.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('e911', en);
