const STEPS_MAX = 5;

/**
 * Returns round values from 0 to the first one that is not below `highest`, for the axis of a chart. An axis of zeros
 * has a height too.
 */
export function ticksTo(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const magnitude = 10 ** Math.floor(Math.log10(highest / STEPS_MAX));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((each) => highest / each <= STEPS_MAX) ?? highest;
  // Amounts are whole numbers: micro-dollars, texts and minutes.
  const whole = Math.max(1, step);
  return Array.from({ length: Math.ceil(highest / whole) + 1 }, (_, index) => index * whole);
}
