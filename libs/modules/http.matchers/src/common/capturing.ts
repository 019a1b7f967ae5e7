/** Regular expression matchers whose captures are available as placeholders. */
import type { Captures, Exchange } from '@sluice/http-app';
import { anything, options, string, type Context } from '@sluice/registry';
import { compileRegExp, type RegExpGroups, type SafeRegExp } from '@sluice/base';

export interface CapturingOptions {
  readonly name?: string | null;
  readonly pattern?: string | null;
}

/** Options of a regular expression matcher. */
export const capturingOptions = options({
  name: string(
    'Name for the capture groups, which are available as `{http.regexp.<name>.<group>}`. Default: no name; the groups are available as `{http.regexp.<group>}`.',
  ),
  pattern: string('Regular expression (RE2 syntax). Not anchored: it can match any part of the value.', {
    examples: ['^/user/(?P<id>\\d+)$'],
  }),
});

/** Schema of a regular expression in a map. Unlike an option, the value can't be `null`. */
export const capturingValue = anything({ ...capturingOptions });

/** A compiled regular expression that stores its captures in the exchange. */
export class Capturing {
  readonly #name: string;
  readonly #pattern: SafeRegExp;

  constructor(pattern: string, name: string) {
    this.#pattern = compileRegExp(pattern);
    this.#name = name;
  }

  /** Reports whether the regular expression matches a string. Stores the captures on a match. */
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

/** Compiles a configured regular expression. Reports an invalid pattern as an error at its configuration path. */
export function compileCapturing(config: CapturingOptions, context: Context, ...at: string[]): Capturing {
  try {
    return new Capturing(config.pattern ?? '', config.name ?? '');
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'pattern');
  }
}
