import { en } from './connections.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('connections', en);
