/** Formats trial measurements and compares them with limits. */

/** A measured value. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'KB' | 'MB' | '%' | '';
  /** Maximum value. If omitted, the value is reported without a limit. */
  readonly most?: number;
}

/** Reports whether a measurement is within its limit. */
export function holds({ value, most }: Measurement): boolean {
  return most === undefined || value <= most;
}

/** Formats a measurement as a line of text. */
export function lineOf(measurement: Measurement): string {
  const { what, value, unit, most } = measurement;
  const shown = `${Number(value.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`;
  const wanted = most === undefined ? '' : `  at most ${most}${unit === '' ? '' : ` ${unit}`}`;
  return `${holds(measurement) ? ' ' : '!'} ${what.padEnd(64)} ${shown.padStart(10)}${wanted}`;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
