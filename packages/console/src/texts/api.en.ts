/** The texts in English. */
export const en = () => ({
  operator: {
    firstKey: 'First key',
  },
  progress: {
    failed: 'The connection failed.',
  },
});
