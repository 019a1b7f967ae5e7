/** Regular expressions whose captures become placeholders. */
import type { Captures, Exchange } from '@sluice/http-app';
import { anything, options, string, type Context } from '@sluice/registry';
import { compileRegExp, type RegExpGroups, type SafeRegExp } from '@sluice/base';

export interface CapturingOptions {
  readonly name?: string | null;
  readonly pattern?: string | null;
}

/** Options of one expression. */
export const capturingOptions = options({
  name: string(
    'Name for the capture groups, which are available as `{http.regexp.<name>.<group>}`. Default: no name; groups are available as `{http.regexp.<group>}`.',
  ),
  pattern: string('Regular expression (RE2 syntax), not anchored.', {
    examples: ['^/user/(?P<id>\\d+)$'],
  }),
});

/** Schema of an expression in a map. Unlike an option, it can't be `null`. */
export const capturingValue = anything({ ...capturingOptions });

/** A compiled expression that stores captures in the exchange. */
export class Capturing {
  readonly #name: string;
  readonly #pattern: SafeRegExp;

  constructor(pattern: string, name: string) {
    this.#pattern = compileRegExp(pattern);
    this.#name = name;
  }

  /** Reports whether the expression matches a string; if so, stores the captures. */
  match(exchange: Exchange, text: string): boolean {
    const match = this.#pattern.exec(text);
    if (match === null) return false;
    exchange.setCaptures(this.#name, new MatchCaptures(match, this.#pattern.names));
    return true;
  }
}

class MatchCaptures implements Captures {
  readonly #groups: RegExpGroups;
  readonly #names: ReadonlyMap<string, number>;

  constructor(groups: RegExpGroups, names: ReadonlyMap<string, number>) {
    this.#groups = groups;
    this.#names = names;
  }

  group(key: string): string | undefined {
    const number = /^(?:0|[1-9]\d{0,7})$/.test(key) ? Number(key) : this.#names.get(key);
    if (number === undefined || number >= this.#groups.length) return undefined;
    return this.#groups[number] ?? '';
  }
}

/** Compiles a configured expression; an invalid pattern is an error at its path. */
export function compileCapturing(config: CapturingOptions, context: Context, ...at: string[]): Capturing {
  try {
    return new Capturing(config.pattern ?? '', config.name ?? '');
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'pattern');
  }
}
