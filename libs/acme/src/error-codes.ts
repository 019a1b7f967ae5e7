/** The error codes of this package; see `docs/errors.md`. */
export const errorCodes = {
  ERR_ACME: {
    meaning: 'A server of the protocol ACME has refused a request, or ours has; the message has its reason.',
    advice:
      'See the type of the problem in RFC 8555, section 6.7: often a name that does not lead here, or a limit of the authority.',
  },
} as const;
