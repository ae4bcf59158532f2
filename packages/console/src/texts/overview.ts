import { en } from './overview.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('overview', en);
