/** Proleptic Gregorian calendar: converts days since 1970-01-01 to dates and back. */

/** A date; `month` starts at 1. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const secondsPerDay = 86_400;

/** Returns the days from 1970-01-01 to a date. Months and days out of range carry over. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const carried = year + Math.floor((month - 1) / 12);
  const normal = mod(month - 1, 12) + 1;
  // Use years that start in March, so that the leap day is the last day.
  const shifted = normal > 2 ? carried : carried - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (normal + (normal > 2 ? -3 : 9)) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 + day - 1;
}

/** Returns the date for a number of days since 1970-01-01. */
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

/** Returns the remainder with the sign of the divisor. */
export function mod(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}
