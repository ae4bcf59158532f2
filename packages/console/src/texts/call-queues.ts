import { en } from './call-queues.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('callQueues', en);
