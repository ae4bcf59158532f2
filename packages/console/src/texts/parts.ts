import { en } from './parts.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('parts', en);
