/**
 * Records which tokens produced each object in a configuration. The code that runs directives records their tokens with the results. Code
 * that copies an object also copies its record. Positions of values inside objects are determined only on request, for error messages.
 */
import type { CaddyfileToken } from '../token.ts';

const origins = new WeakMap<object, readonly CaddyfileToken[]>();

/** Records the tokens that produced an object, unless more specific tokens are already recorded. */
export function noteOrigin<T>(value: T, tokens: readonly CaddyfileToken[]): T {
  if (typeof value === 'object' && value !== null && !origins.has(value)) origins.set(value, tokens);
  return value;
}

/**
 * Records the tokens that produced the result of a directive or option. For a list, records the tokens for each element. For an object,
 * also records them for its fields.
 */
export function noteOrigins<T>(value: T, tokens: readonly CaddyfileToken[]): T {
  if (typeof value !== 'object' || value === null) return value;
  noteOrigin(value, tokens);
  if (Array.isArray(value)) {
    for (const item of value) noteOrigins(item, tokens);
    return value;
  }
  for (const part of Object.values(value) as unknown[]) {
    noteOrigin(part, tokens);
    if (Array.isArray(part)) for (const item of part) noteOrigin(item, tokens);
  }
  return value;
}

export function carryOrigin<T extends object>(from: object, copy: T): T {
  const tokens = origins.get(from);
  if (tokens !== undefined && !origins.has(copy)) origins.set(copy, tokens);
  return copy;
}

export function originOf(value: unknown): readonly CaddyfileToken[] | undefined {
  return typeof value === 'object' && value !== null ? origins.get(value) : undefined;
}
