/** Iterates over the strings in a value, for checks that apply to every string. */
import { isArray, isObject, type ConfigPath, type Json } from '@sluice/base';

export interface PlacedText {
  readonly text: string;
  readonly path: ConfigPath;
}

/** Yields all strings in a value, except object keys. */
export function* textsIn(node: Json | undefined, path: ConfigPath): Generator<PlacedText> {
  if (typeof node === 'string') yield { text: node, path };
  else if (isArray(node)) for (const [index, item] of node.entries()) yield* textsIn(item, [...path, String(index)]);
  else if (isObject(node)) for (const [key, value] of Object.entries(node)) yield* textsIn(value, [...path, key]);
}
