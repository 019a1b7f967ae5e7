/** Shares equal strings among objects, because `JSON.parse` creates a new string for every value. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Longer strings are rarely equal. */
const maxLength = 64;
const maxTexts = 10_000;

/** Recently used strings. */
const texts = new Map<string, string>();

/**
 * Replaces equal short strings of an object by the same string. The object must come from `JSON.parse`, and have no other users: a copy would
 * take more memory, because V8 reserves space for properties of objects that are built step by step.
 */
export function sharingTexts<T extends object>(object: T): T {
  share(object as Json);
  return object;
}

function share(value: Json): Json {
  if (typeof value === 'string') return value.length > maxLength ? value : sharedText(value);
  if (isArray(value)) {
    const elements = value as Json[];
    for (const [i, each] of value.entries()) elements[i] = share(each);
  } else if (isObject(value)) {
    const properties = value as Record<string, Json>;
    for (const [key, each] of Object.entries(value)) properties[key] = share(each);
  }
  return value;
}

function sharedText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= maxTexts) texts.clear();
  texts.set(text, text);
  return text;
}

/** Returns an equal value that takes less memory: arrays of exact length, objects without reserved space, and shared strings. */
export function compacted<T extends object>(value: T): T {
  return sharingTexts(JSON.parse(JSON.stringify(value)) as T);
}
