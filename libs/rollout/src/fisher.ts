/** One-sided Fisher's exact test: the probability that chance explains a difference at least this large. */
import { numberAt } from '@sluice/base';

/** A share: `hits` out of `of`. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

const logFactorials: number[] = [0];

/** Largest argument for which log-factorials are tabulated. Above it, Stirling's series is as accurate as the table. */
const tabled = 4096;

/**
 * Returns the probability of at least `one.hits` hits on the first side if both sides have the same rate. This is the upper tail of the
 * hypergeometric distribution.
 */
export function chanceOf(one: Share, other: Share): number {
  const hits = one.hits + other.hits;
  const all = one.of + other.of;
  const max = Math.min(hits, one.of);
  let term = Math.exp(logChoose(hits, one.hits) + logChoose(all - hits, one.of - one.hits) - logChoose(all, one.of));
  let sum = term;
  for (let k = one.hits; k < max; k++) {
    term *= ((hits - k) * (one.of - k)) / ((k + 1) * (all - hits - one.of + k + 1));
    sum += term;
    if (term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

function logFactorial(n: number): number {
  if (n > tabled) return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push(numberAt(logFactorials, i - 1) + Math.log(i));
  return numberAt(logFactorials, n);
}
