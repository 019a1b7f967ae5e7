/** Shares equal strings of objects, because `JSON.parse` creates a new string for every value. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Longer strings are rarely equal. */
const maxLength = 64;
const maxTexts = 10_000;

/** Strings that were seen last. */
const texts = new Map<string, string>();

/** Returns a copy of an object in which equal short strings are the same string. */
export function sharingTexts<T extends object>(object: T): T {
  return shared(object as Json) as T;
}

function shared(value: Json): Json {
  if (typeof value === 'string') return value.length > maxLength ? value : sharedText(value);
  if (isArray(value)) return value.map(shared);
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, each] of Object.entries(value)) copy[key] = shared(each);
  return copy;
}

function sharedText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= maxTexts) texts.clear();
  texts.set(text, text);
  return text;
}
