import { en } from './queues.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('queues', en);
