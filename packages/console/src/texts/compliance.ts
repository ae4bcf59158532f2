import { en } from './compliance.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('compliance', en);
