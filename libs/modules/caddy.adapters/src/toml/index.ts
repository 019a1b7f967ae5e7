/** `caddy.adapters.toml`: TOML 1.1 (https://toml.io). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';

/**
 * Reads TOML. Errors name line and column, also that of a key that stands twice; dates and times become texts (RFC 3339);
 * integers that a JSON number can't hold exactly are refused, and so are `inf` and `nan`.
 */
export const toml = defineModule(configAdapters, {
  name: 'toml',
  help: 'Reads TOML.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    adapt(body) {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      return { config: jsonOf(read(text)), warnings: [] };
    },
  }),
});

/** The parser shows a piece of the text after the first line of its messages. */
function read(text: string): TomlTable {
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message
      .split('\n', 1)
      .join('')
      .replace(/^Invalid TOML document: /, '');
    throw new SyntaxError(`line ${error.line}, column ${error.column}: ${problem}`, { cause: error });
  }
}

/** Tables become objects of ours, in which `__proto__` is a key like others. */
function jsonOf(value: TomlValue): Json {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object') return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
}
