/**
 * Parses JSON for the configuration tree. Checks the nesting depth before parsing. Rejects or replaces numbers and strings that could not
 * be serialized again.
 */
import type { Json, JsonObject } from './json.ts';
import { maxDepth } from './path.ts';

export interface ParsedJson {
  readonly value: Json;
  /** Nesting depth of objects and arrays. 0 for a scalar. */
  readonly depth: number;
}

/**
 * Parses JSON (RFC 8259). Throws a `RangeError` if the nesting depth exceeds {@link maxDepth} or a number is out of range. Throws a
 * `SyntaxError` if the text is not valid JSON.
 */
export function parseJsonText(text: string): ParsedJson {
  const depth = depthOf(text);
  if (depth > maxDepth) throw new RangeError(`nested ${depth} levels deep; the maximum is ${maxDepth}`);
  const value = JSON.parse(text) as Json;
  return { value: needsCare.test(text) ? carefully(value) : value, depth };
}

const quote = 0x22;
const backslash = 0x5c;

/** Returns the nesting depth by counting brackets, without parsing. The result is meaningless for invalid JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      while (++i < text.length && text.charCodeAt(i) !== quote) if (text.charCodeAt(i) === backslash) i++;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}

/**
 * Matches an escaped surrogate, a three-digit exponent, or 300 consecutive digits. Only such input can contain values that need further
 * checks.
 */
const needsCare = /\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{300}/;

/** Replaces lone surrogates with U+FFFD, because UTF-8 cannot represent them. Rejects numbers that overflow to infinity. */
function carefully(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('a number is out of range');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => carefully(item));
  const entries = Object.entries(value as JsonObject).map(([key, item]) => [key.toWellFormed(), carefully(item)]);
  return Object.fromEntries(entries) as JsonObject;
}
