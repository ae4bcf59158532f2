/** Numbers that are dialled in an emergency and never refused: 911 itself, and 933, which reads the address back. */
export const EMERGENCY_NUMBER = '911';
export const ADDRESS_CHECK_NUMBER = '933';

/** True for a number that is dialled as it is and that nothing may stand in the way of. */
export function isEmergencyNumber(number: string): boolean {
  return number === EMERGENCY_NUMBER || number === ADDRESS_CHECK_NUMBER;
}
