/** Deduplicates equal strings in objects, because `JSON.parse` creates a new string for every value. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Maximum length of deduplicated strings. Longer strings are rarely equal. */
const maxLength = 64;
const maxTexts = 10_000;

/** Recently used strings. */
const texts = new Map<string, string>();

/**
 * Replaces equal short strings in an object with the same string. Modifies the object, which must come from `JSON.parse` and must not be
 * referenced elsewhere. A copy would take more memory, because V8 reserves space for properties of objects that are built step by step.
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

/** Returns an equal value that uses less memory: arrays of exact length, objects without reserved space, and deduplicated strings. */
export function compacted<T extends object>(value: T): T {
  return sharingTexts(JSON.parse(JSON.stringify(value)) as T);
}
