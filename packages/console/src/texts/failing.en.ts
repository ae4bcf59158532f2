/** The texts in English of endpoints that fail: the overview has them too. */
export const en = () => ({
  lastFailedLast: (failed: number, count: number, attempted: string) =>
    `${failed} of the last ${count} failed, last answer: ${attempted}`,
  since: 'since <0/>',
  noAnswer: 'no answer',
});
