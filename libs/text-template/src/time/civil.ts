/** Proleptic Gregorian calendar: converts between dates and days since 1970-01-01. */

/** A calendar date. `month` is 1-based. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const secondsPerDay = 86_400;

/** Returns the number of days from 1970-01-01 to a date. Out-of-range months and days carry over. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const carried = year + Math.floor((month - 1) / 12);
  const normal = mod(month - 1, 12) + 1;
  // Count years from March, so that the leap day is the last day of the year.
  const shifted = normal > 2 ? carried : carried - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (normal + (normal > 2 ? -3 : 9)) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 + day - 1;
}

/** Converts a number of days since 1970-01-01 to a date. */
export function civilFromDays(days: number): CivilDate {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function daysInMonth(year: number, month: number): number {
  return daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);
}

/** Returns the remainder of a division, with the sign of the divisor. */
export function mod(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}
