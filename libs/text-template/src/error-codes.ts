/** Error codes of this package; see `docs/errors.md`. */
export const errorCodes = {
  ERR_TEMPLATE_EXECUTION: {
    meaning: 'A template failed during execution.',
    advice: 'Correct the expression. The message contains the template name, the line number and the expression.',
  },
  ERR_TEMPLATE_LIMIT: {
    meaning: 'A template exceeded a limit on time, output or nesting.',
    advice: 'Check the template for an endless loop or recursive inclusion.',
  },
  ERR_TEMPLATE_PARSE: {
    meaning: 'A template has a syntax error.',
    advice: 'Correct the template. The message contains the template name and the line number.',
  },
} as const;
