/** Formats metric values as Caddy does. */

/** Returns the shortest representation of a number. Uses exponential notation below 10⁻⁴ and from 10⁶ up. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return '0';
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Like {@link formatFigure}, but for OpenMetrics: values that are not counts always have a decimal point or an exponent. */
export function formatOpenFigure(value: number): string {
  const text = formatFigure(value);
  return /[.eN]|Inf/.test(text) ? text : `${text}.0`;
}
