/**
 * Selects a random fraction of requests by the request UUID (version 4). The UUID, and therefore the decision, is constant for each
 * request.
 */
import type { JsonObject } from '@sluice/base';

const digits = 4;
const total = 16 ** digits;

/** Returns matchers for a fraction of requests, between 0 and 1. A larger fraction includes all requests of a smaller fraction. */
export function shareMatcher(share: number): JsonObject {
  const bound = Math.min(total - 1, Math.round(share * total));
  return { vars_regexp: { '{http.request.uuid}': { pattern: `^(?:${below(bound)})` } } };
}

/** Returns a regular expression that matches four-digit hexadecimal numbers below `bound`. */
function below(bound: number): string {
  const text = bound.toString(16).padStart(digits, '0');
  const alternatives: string[] = [];
  for (const [i, digit] of [...text].entries()) {
    const values = '0123456789abcdef'.slice(0, Number.parseInt(digit, 16));
    if (values !== '') alternatives.push(`${text.slice(0, i)}[${values}]`);
  }
  // If the bound is 0, return an expression that matches no UUID.
  return alternatives.length === 0 ? 'none' : alternatives.join('|');
}
