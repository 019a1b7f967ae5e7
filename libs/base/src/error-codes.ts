import type { ErrorCodes } from './error-code.ts';

export const errorCodes: ErrorCodes = {
  ERR_CONFIG: {
    meaning: 'The configuration contains an unknown module or key, a wrong type, or invalid options.',
    advice: 'Fix the value at the configuration path at the beginning of the message. Nothing was applied.',
  },
  ERR_CONFIG_EMPTY: {
    meaning: 'The document to apply is empty, perhaps because a file was truncated.',
    advice: 'Check how the document was generated. To unload the configuration, send `null` or `{}`.',
  },
  ERR_CONFIG_PATH: {
    meaning: 'A configuration path does not exist, or traverses a value that is not an object or array.',
    advice: 'Read the document at a shorter path (`GET /config/…`) to find the correct path.',
  },
  ERR_CONFINED: {
    meaning:
      'A client with restricted permissions sent input that would read a file or environment variable of the server.',
    advice: 'Replace the references with values, or allow such reads with `admin.external_reads`.',
  },
  ERR_FETCH: {
    meaning: 'An HTTP download failed because of its address, status code or size.',
    advice: 'To find the cause, request the address in the message with another HTTP client on the same machine.',
  },
  ERR_SYNTAX: {
    meaning: 'A JSON document or patch is malformed.',
    advice: 'Correct the text at the line and column in the message, or the patch operation that the message names.',
  },
  ERR_THROWN: {
    meaning: 'A module threw a value that cannot be inspected, such as an object whose getters throw.',
    advice: 'Report the problem to the module author. The message or log entry contains the name of the module.',
  },
  ERR_VALUE: {
    meaning: 'A value, such as a duration, size, address or pattern, is invalid.',
    advice: 'Use the format from the message, such as `10s`, `1MB` or `127.0.0.1:8080`.',
  },
};
