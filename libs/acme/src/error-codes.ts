/** The error codes of this package; see `docs/errors.md`. */
export const errorCodes = {
  ERR_ACME: {
    meaning: 'A server of the protocol ACME has refused a request, or ours has; the message has its reason.',
    advice:
      'See the type of the problem in RFC 8555, section 6.7: often a name that does not lead here, or a limit of the authority.',
  },
  ERR_ACME_AUTHORITY: {
    meaning:
      'An ACME authority cannot be used: it cannot be reached, does not speak the protocol, or lacks what is configured.',
    advice: 'The message has the address and what is missing; look at the directory of the authority.',
  },
  ERR_ACME_POLICY: {
    meaning: 'A rule of `policy` of an ACME server cannot be read.',
    advice: 'Write names as `example.com` or `*.example.com`, and ranges as `10.0.0.0/8`.',
  },
} as const;
