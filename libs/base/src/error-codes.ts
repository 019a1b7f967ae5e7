/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from './error-code.ts';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG: {
    meaning:
      'A part of the configuration is wrong: an unknown module or key, a wrong type, or options that a module refuses.',
    advice: 'The message begins with the place in the configuration. Correct that place; nothing was applied.',
  },
  ERR_CONFIG_EMPTY: {
    meaning: 'A document was to be applied whose text holds nothing, as a truncated file does.',
    advice: 'Look at how the document was made. To unload the configuration, write `null` or `{}`.',
  },
  ERR_CONFIG_PATH: {
    meaning: 'A path of the configuration leads nowhere, or through a value that is not an object or a list.',
    advice: 'Read the document at a shorter path (`GET /config/…`), and go on from there.',
  },
  ERR_CONFINED: {
    meaning: 'A client without all rights sent a text that would read a file or an environment variable of the server.',
    advice: 'Write out the values, or allow these reads with `admin.external_reads`.',
  },
  ERR_FETCH: {
    meaning: 'Something could not be fetched over HTTP: the address, the status or the size of the response is wrong.',
    advice: 'The message has the address. Ask for it with any HTTP client from the same machine.',
  },
  ERR_SYNTAX: {
    meaning: 'A JSON document or a patch cannot be read.',
    advice:
      'The message has the line and the column, or the operation of the patch. Check the text with any JSON tool.',
  },
  ERR_THROWN: {
    meaning: 'A module threw something that cannot be read, such as an object whose getters throw.',
    advice: 'Report it to the author of the module, which the message or the log entry names.',
  },
  ERR_VALUE: {
    meaning: 'A single value cannot be read: a duration, a size, an address, a pattern.',
    advice: 'Write it in the form that the message names, such as `10s`, `1MB` or `127.0.0.1:8080`.',
  },
};
