import { en } from './api.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('api', en);
