import { en } from './clock.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('clock', en);
