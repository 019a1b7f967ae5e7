/** The module `caddy.adapters.toml`, which adapts TOML 1.1 (https://toml.io). */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';

/**
 * Adapts TOML. Errors contain the line and column, for example for duplicate keys. Dates and times become strings (RFC 3339). `inf`, `nan`,
 * and integers that JSON cannot represent exactly are rejected.
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

/** Parses TOML. Errors contain only the first line of the parser's message, without the source excerpt. */
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

/** Converts TOML tables to objects. `__proto__` is treated as an ordinary key. */
function jsonOf(value: TomlValue): Json {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object') return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
}
