/** The module `caddy.adapters.json5`, which adapts JSON5: JSON with comments, unquoted keys, trailing commas and more (https://json5.org). */
import JSON5 from 'json5';
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { findDuplicateKeys } from './duplicate-keys.ts';

/**
 * Adapts JSON5. Plain JSON is parsed by the faster JSON parser. Errors contain the line and column. Duplicate keys cause a warning, because
 * only the last value is used. `Infinity` and `NaN` are rejected, because JSON does not support them.
 */
export const json5 = defineModule(configAdapters, {
  name: 'json5',
  help: 'Reads JSON5: JSON with comments, unquoted keys, single quotes and trailing commas.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    adapt(body, { file = '' }) {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      const config = parse(text);
      const warnings = findDuplicateKeys(text).map(({ key, line, first }) => ({
        file,
        line,
        message: `duplicate key ${JSON.stringify(key)}: the value on line ${first} is ignored`,
      }));
      return { config, warnings };
    },
  }),
});

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return parseJson5(text);
  }
}

/** Parses JSON5. The parser's error messages end with the position: `JSON5: invalid character 'x' at 1:5`. */
function parseJson5(text: string): Json {
  try {
    return JSON5.parse<Json>(text);
  } catch (error) {
    const { message } = error as Error;
    const [, problem, line, column] = /^JSON5: (.*) at (\d+):(\d+)$/s.exec(message) ?? [];
    if (problem === undefined) throw error;
    throw new SyntaxError(`line ${line}, column ${column}: ${problem}`, { cause: error });
  }
}
