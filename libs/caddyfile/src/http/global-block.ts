/** Parses the block of global options in a Caddyfile. */
import { Dispenser, type ModuleReader } from '../dispenser/dispenser.ts';
import { errorOnLine, caddyfileError } from '../errors.ts';
import { noteOrigins } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ServerBlock } from '../parser/site.ts';
import { rethrown } from './directive-reader.ts';
import type { GlobalOptions } from './global-options.ts';

/** Provides the parsers of global options. */
export interface OptionSource {
  globalOption(name: string): ((reader: Dispenser, earlier: unknown, options: GlobalOptions) => unknown) | undefined;
  suggestOption(name: string): string;
}

export function readGlobalBlock(
  block: ServerBlock,
  options: GlobalOptions,
  source: OptionSource,
  modules: ModuleReader,
): void {
  options.tokens = block.segments.flat();
  for (const segment of block.segments) {
    const [first] = segment as readonly [CaddyfileToken];
    const name = first.text;
    const read = source.globalOption(name);
    if (read === undefined)
      throw errorOnLine(first, `unrecognized global option: ${name}${source.suggestOption(name)}`);
    const reader = new Dispenser(segment, modules);
    reader.next();
    try {
      options.set(name, noteOrigins(read(reader, options.get(name), options), segment));
    } catch (error) {
      throw rethrown(error, (message) =>
        caddyfileError(`parsing caddyfile tokens for '${name}': ${message}`, error, first),
      );
    }
  }
}
