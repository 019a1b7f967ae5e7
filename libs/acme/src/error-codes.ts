/** Error codes of this package; see `docs/errors.md`. */
export const errorCodes = {
  ERR_ACME: {
    meaning: "An ACME server, or this server's own, rejected a request; see the message for the reason.",
    advice:
      'See the problem type in RFC 8555, section 6.7. Often, a name does not resolve to this server, or a rate limit of the certificate authority was exceeded.',
  },
  ERR_ACME_AUTHORITY: {
    meaning:
      'An ACME certificate authority cannot be used: it is unreachable, does not speak ACME, or lacks a configured feature.',
    advice: 'The message contains the address and the problem; check the directory of the certificate authority.',
  },
  ERR_ACME_POLICY: {
    meaning: 'Invalid rule in `policy` of an ACME server.',
    advice: 'Write names as `example.com` or `*.example.com`, and ranges as `10.0.0.0/8`.',
  },
} as const;
