/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from './error-code.ts';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG: {
    meaning: 'The configuration contains an unknown module or key, a wrong type, or invalid options.',
    advice: 'The message starts with the path in the configuration. Fix the value there; nothing was applied.',
  },
  ERR_CONFIG_EMPTY: {
    meaning: 'The document to apply is empty, as if a file had been truncated.',
    advice: 'Check how the document was created. To unload the configuration, write `null` or `{}`.',
  },
  ERR_CONFIG_PATH: {
    meaning: 'A configuration path does not exist, or leads through a value that is not an object or array.',
    advice: 'Read the document at a shorter path (`GET /config/…`), and continue from there.',
  },
  ERR_CONFINED: {
    meaning:
      'A client with restricted permissions sent input that would read a file or environment variable of the server.',
    advice: 'Replace the references with values, or allow these reads with `admin.external_reads`.',
  },
  ERR_FETCH: {
    meaning: 'An HTTP download failed because of its address, status or size.',
    advice: 'The message contains the address. Request it with any HTTP client on the same machine.',
  },
  ERR_SYNTAX: {
    meaning: 'Malformed JSON document or patch.',
    advice: 'The message contains the line and column, or the patch operation. Check the text with any JSON tool.',
  },
  ERR_THROWN: {
    meaning: 'A module threw a value that cannot be inspected, such as an object whose getters throw.',
    advice: 'Report it to the module author; the message or log entry names the module.',
  },
  ERR_VALUE: {
    meaning: 'Invalid value: a duration, a size, an address or a pattern.',
    advice: 'Use the format from the message, such as `10s`, `1MB` or `127.0.0.1:8080`.',
  },
};
