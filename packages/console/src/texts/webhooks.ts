import { textsOf } from './texts.ts';
import { en } from './webhooks.en.ts';

export const texts = textsOf('webhooks', en);
