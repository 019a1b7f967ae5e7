/** Parses JSON as the configuration tree holds it: bounded in depth before it is parsed, with numbers and texts that can be written again. */
import type { Json, JsonObject } from './json.ts';
import { maxDepth } from './path.ts';

/** A parsed text. */
export interface ParsedJson {
  readonly value: Json;
  /** How deep its containers are nested; 0 for a scalar. */
  readonly depth: number;
}

/**
 * Parses a text (RFC 8259). Throws a RangeError for one that is nested deeper than {@link maxDepth}, or has a number that is out of range, and
 * a SyntaxError for one that is not JSON.
 */
export function parseJsonText(text: string): ParsedJson {
  const depth = depthOf(text);
  if (depth > maxDepth) throw new RangeError(`nested ${depth} levels deep; the maximum is ${maxDepth}`);
  const value = JSON.parse(text) as Json;
  return { value: needsCare.test(text) ? carefully(value) : value, depth };
}

const quote = 0x22;
const backslash = 0x5c;

/** Counts brackets, without parsing: of a text that is not JSON the result means nothing. */
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

/** An escaped surrogate, or an exponent or as many digits as only numbers have that are out of range. */
const needsCare = /\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{300}/;

/** Replaces halves of surrogate pairs, which have no place in UTF-8, by U+FFFD; refuses numbers that became infinite. */
function carefully(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('a number is out of range');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => carefully(item));
  const entries = Object.entries(value as JsonObject).map(([key, item]) => [key.toWellFormed(), carefully(item)]);
  return Object.fromEntries(entries) as JsonObject;
}
