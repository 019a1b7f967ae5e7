/** Reads configuration values strictly: only the last key of a path may be missing. */
import {
  formatPointer,
  isArray,
  isObject,
  kindOf,
  own,
  parseIndex,
  type ConfigPath,
  type Json,
  itemAt,
} from '@sluice/base';
import { traversalError } from '../errors.ts';

/** Status codes for missing paths: the status that Caddy uses, and a more precise one if it differs. */
export interface ReadStatuses {
  readonly status: number;
  readonly precise: number;
}

const whenReading: ReadStatuses = { status: 400, precise: 400 };

/** Returns the value at a path. Returns `null` if the last key is missing. */
export function readStrictly(root: Json, path: ConfigPath, { status, precise }: ReadStatuses = whenReading): Json {
  let node = root;
  for (const [at, segment] of path.entries()) {
    const where = `/config${formatPointer(path.slice(0, at))}`;
    if (isObject(node)) {
      const child = own(node, segment);
      if (child === undefined && at < path.length - 1)
        throw traversalError(`${where} has no ${JSON.stringify(segment)}`, status, precise);
      node = child ?? null;
    } else if (isArray(node)) {
      const index = parseIndex(segment);
      if (index < 0)
        throw traversalError(`${where} is an array; ${JSON.stringify(segment)} is not an index`, status, precise);
      if (index >= node.length)
        throw traversalError(`${where} has ${node.length} elements; there is no index ${segment}`, status, precise);
      node = itemAt(node, index);
    } else
      throw traversalError(
        `${where} is ${kindOf(node)}; cannot look up ${JSON.stringify(segment)} in it`,
        status,
        precise,
      );
  }
  return node;
}
