import { en } from './requests.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('requests', en);
