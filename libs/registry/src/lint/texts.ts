/** The texts of a value, for checks of what is written anywhere in it. */
import { isArray, isObject, type ConfigPath, type Json } from '@sluice/base';

/** A text and where it stands. */
export interface PlacedText {
  readonly text: string;
  readonly path: ConfigPath;
}

/** All texts in a value, keys of objects not among them. */
export function* textsIn(node: Json | undefined, path: ConfigPath): Generator<PlacedText> {
  if (typeof node === 'string') yield { text: node, path };
  else if (isArray(node)) for (const [index, item] of node.entries()) yield* textsIn(item, [...path, String(index)]);
  else if (isObject(node)) for (const [key, value] of Object.entries(node)) yield* textsIn(value, [...path, key]);
}
