/** Regular expressions in layer 4 matchers. */
import { compileRegExp, expandRequired, type RegExpGroups, type SafeRegExp } from '@sluice/base';
import type { Captures } from '@sluice/http-app';
import type { Context, Segment } from '@sluice/registry';

/** Compiles a regular expression that may contain global placeholders. Errors refer to the configuration path in `at`. */
export function pattern(text: string, context: Context, ...at: Segment[]): SafeRegExp {
  try {
    return compileRegExp(expandRequired(text));
  } catch (error) {
    throw context.error((error as Error).message, ...at);
  }
}

/** Compiles a regular expression without placeholders. */
export function literalPattern(text: string, context: Context, ...at: Segment[]): SafeRegExp {
  try {
    return compileRegExp(text);
  } catch (error) {
    throw context.error((error as Error).message, ...at);
  }
}

export class MatchedGroups implements Captures {
  readonly #groups: RegExpGroups;
  readonly #names: ReadonlyMap<string, number>;

  constructor(groups: RegExpGroups, names: ReadonlyMap<string, number>) {
    this.#groups = groups;
    this.#names = names;
  }

  group(key: string): string | undefined {
    const number = /^(?:0|[1-9]\d{0,7})$/.test(key) ? Number(key) : this.#names.get(key);
    return number === undefined ? undefined : (this.#groups[number] ?? undefined);
  }
}
