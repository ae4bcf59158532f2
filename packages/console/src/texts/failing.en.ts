/** The texts in English about endpoints that fail. The overview uses them too. */
export const en = () => ({
  lastFailedLast: (failed: number, count: number, attempted: string) =>
    `${failed} of the last ${count} failed, last answer: ${attempted}`,
  since: 'since <0/>',
  noAnswer: 'no answer',
});
