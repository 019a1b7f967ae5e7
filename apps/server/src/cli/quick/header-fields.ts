/** Parses header field options, such as `--header "Field: value"`. */
import { canonicalHeaderName, type JsonObject } from '@sluice/base';
import { CommandError } from '../../failure.ts';

/**
 * Parses header fields. If a name occurs several times, the last field is used. Skips empty strings, because scripts may create them from
 * empty variables.
 */
export function readHeaderFields(option: string, texts: readonly string[] = []): JsonObject {
  const fields: Record<string, string[]> = {};
  for (const text of texts.filter((each) => each !== '')) {
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(colon, 0)).trim();
    const value = text.slice(colon + 1).trim();
    if (name === '' || value === '')
      throw new CommandError(`${option} ${JSON.stringify(text)}: expected "Name: value"`);
    fields[canonicalHeaderName(name)] = [value];
  }
  return fields;
}
