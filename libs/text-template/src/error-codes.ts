/** The error codes of this package; see `docs/errors.md`. */
export const errorCodes = {
  ERR_TEMPLATE_EXECUTION: {
    meaning: 'A template failed while it ran.',
    advice: 'The message has the name, the line and the expression.',
  },
  ERR_TEMPLATE_LIMIT: {
    meaning: 'A template has used more time, output or depth than it may.',
    advice: 'Look for a loop or an inclusion without end.',
  },
  ERR_TEMPLATE_PARSE: {
    meaning: 'A template cannot be read.',
    advice: 'The message has the name and the line.',
  },
} as const;
