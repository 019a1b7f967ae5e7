export const errorCodes = {
  ERR_ACME: {
    meaning: "An ACME server (external, or this server's own) rejected a request. The message contains the reason.",
    advice:
      'Look up the problem type in RFC 8555, section 6.7. Common causes: a name does not resolve to this server, or a rate limit of the certificate authority was exceeded.',
  },
  ERR_ACME_AUTHORITY: {
    meaning:
      'An ACME certificate authority cannot be used: it is unreachable, does not support ACME, or lacks a configured feature.',
    advice: 'Check the directory URL of the certificate authority. The message contains the address and the problem.',
  },
  ERR_ACME_POLICY: {
    meaning: 'An ACME server has an invalid rule in its `policy`.',
    advice: 'Write names as `example.com` or `*.example.com`, and ranges as `10.0.0.0/8`.',
  },
} as const;
