import { en } from './keys.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('keys', en);
