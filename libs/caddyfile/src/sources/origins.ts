/**
 * Which tokens the objects of a configuration were made of. Directives know nothing of it: what runs them notes their tokens
 * with what they give, and what copies an object carries the note along. Values within are looked for among the tokens
 * when they are asked for, which is when something is wrong.
 */
import type { CaddyfileToken } from '../token.ts';

const origins = new WeakMap<object, readonly CaddyfileToken[]>();

/** Notes the tokens of an object, unless those of a part of them, which are closer, are noted already. */
export function noteOrigin<T>(value: T, tokens: readonly CaddyfileToken[]): T {
  if (typeof value === 'object' && value !== null && !origins.has(value)) origins.set(value, tokens);
  return value;
}

/** Notes the tokens of what a directive or an option gave: of lists their elements, of objects also what they hold. */
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

/** Has a copy come from where the original does. */
export function carryOrigin<T extends object>(from: object, copy: T): T {
  const tokens = origins.get(from);
  if (tokens !== undefined && !origins.has(copy)) origins.set(copy, tokens);
  return copy;
}

/** The tokens of an object, if they are known. */
export function originOf(value: unknown): readonly CaddyfileToken[] | undefined {
  return typeof value === 'object' && value !== null ? origins.get(value) : undefined;
}
