/** JSON of request bodies: parsed, and bounded in depth before it is. */
import { maxDepth, messageOf, type Json, type JsonObject } from '@sluice/base';
import { bodyError } from '../errors.ts';

/** A parsed body. */
export interface JsonBody {
  readonly value: Json;
  /** How deep its containers are nested; 0 for a scalar. */
  readonly depth: number;
}

/** Parses a body. An empty one is `null`, as with the reference. */
export function parseJsonBody(body: Buffer): JsonBody {
  if (body.length === 0) return { value: null, depth: 0 };
  const depth = depthOf(body);
  if (depth > maxDepth) throw tooDeep(depth);
  const text = body.toString('utf8');
  try {
    const value = JSON.parse(text) as Json;
    return { value: needsCare.test(text) ? carefully(value) : value, depth };
  } catch (error) {
    throw bodyError(messageOf(error), error);
  }
}

/** The error for values that would stand too deep in the document. */
export function tooDeep(depth: number): Error {
  return bodyError(`nested ${depth} deep; ${maxDepth} is the limit`);
}

const quote = 0x22;
const backslash = 0x5c;

/** Counts brackets, without parsing: of a text that is not JSON the result means nothing. */
function depthOf(body: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (byte === quote) {
      while (++i < body.length && body[i] !== quote) if (body[i] === backslash) i++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
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
