/**
 * Records which tokens produced each object of a configuration. The code that runs directives records their tokens with the results, and
 * code that copies an object copies the record. Values inside objects are searched among the tokens only on request, that is, for errors.
 */
import type { CaddyfileToken } from '../token.ts';

const origins = new WeakMap<object, readonly CaddyfileToken[]>();

/** Records the tokens of an object, unless more specific tokens are already recorded. */
export function noteOrigin<T>(value: T, tokens: readonly CaddyfileToken[]): T {
  if (typeof value === 'object' && value !== null && !origins.has(value)) origins.set(value, tokens);
  return value;
}

/** Records the tokens of a directive or option result: for lists, of each element; for objects, also of their fields. */
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
