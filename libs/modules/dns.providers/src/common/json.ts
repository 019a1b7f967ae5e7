/** Functions that extract parts of JSON responses. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';

export function objectsIn(value: Json | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

/** Returns the strings in a list. Returns an empty list if the value is not a list. */
export function stringsIn(value: Json | undefined): string[] {
  return isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
