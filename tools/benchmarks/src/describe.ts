/** Formats benchmark results as lines of text. */
import { ratiosTo, type Result } from './measure.ts';
import { median } from './statistics.ts';

/** Formats the result of a scenario as one line. */
export function describedResult(name: string, result: Result): string {
  const parts = [...result].map(
    ([server, { rates, costs }]) =>
      `${server} ${Math.round(median(rates))}/s (${median(costs).toFixed(2)} us of CPU time each)`,
  );
  for (const rival of result.keys()) {
    const ratios = rival === 'sluice' ? null : ratiosTo(result, rival);
    if (ratios === null) continue;
    const { rate, cost } = ratios;
    parts.push(
      `vs. ${rival} ${rate.middle.toFixed(2)} (${rate.low.toFixed(2)} to ${rate.high.toFixed(2)}) by rate, ${cost.middle.toFixed(2)} by CPU time`,
    );
  }
  return `${name}: ${parts.join(', ')}`;
}
