/** Sets that must not match as `not`. */
import { isArray, isObject } from '@sluice/base';
import type { WriteModule, Written } from '@sluice/caddyfile';

/** `not MATCHER …`, `not { … }`: a line for each set. */
export const writeNot: WriteModule = async (options, writer) => {
  const lines: Written[] = [];
  for (const set of isArray(options) ? options : []) {
    const block = isObject(set) ? await writer.matchers(set) : null;
    if (block === null) return null;
    const [only] = block;
    lines.push(only !== undefined && block.length === 1 && only.block === undefined ? only : { block });
  }
  return lines;
};
