/** Uses of nginx directives that the adapter rejects, because a translation would be less secure or have a different meaning. */

/** A use of an nginx directive that the adapter rejects. */
export interface Refusal {
  readonly directive: string;
  readonly when: string;
  /** Example of a rejected use, as the content of a `server` block. */
  readonly example: string;
}

/** Rejected uses, which docs/reference/nginx.md lists. Tests verify that each example is rejected. */
export const refusals: readonly Refusal[] = [
  {
    directive: 'location',
    when: 'its regular expression has a backreference or an unsupported lookaround. A lookaround is supported only after a plain prefix (`^/(?!a)b`), or as a list of strings at the end',
    example: 'location ~ /.(?=a)b { }',
  },
  {
    directive: 'proxy_pass',
    when: 'it has a URI inside a regex or named location, or inside an `if`, where nginx cannot determine which part to replace',
    example: 'location ~ ^/a { proxy_pass http://127.0.0.1:1/b; }',
  },
  {
    directive: 'auth_basic',
    when: '`auth_basic_user_file` is missing',
    example: 'auth_basic private;',
  },
  {
    directive: 'auth_basic_user_file',
    when: 'the file cannot be read',
    example: 'auth_basic private; auth_basic_user_file /nowhere/users;',
  },
  {
    directive: 'allow',
    when: 'its value is not an address, a range or `all`',
    example: 'allow example.com;',
  },
  {
    directive: 'ssl_crl',
    when: 'client certificates are verified. Otherwise, clients with a revoked certificate would be accepted',
    example:
      'listen 443 ssl; ssl_certificate a.pem; ssl_certificate_key a.key; ssl_verify_client on; ssl_client_certificate ca.pem; ssl_crl revoked.pem;',
  },
  {
    directive: 'ssl_protocols',
    when: 'it contains neither TLSv1.2 nor TLSv1.3',
    example: 'listen 443 ssl; ssl_certificate a.pem; ssl_certificate_key a.key; ssl_protocols TLSv1.1;',
  },
  {
    directive: 'include',
    when: 'the file cannot be read (`mime.types`, `fastcgi_params` and `fastcgi.conf` may be missing)',
    example: 'include /nowhere/site.conf;',
  },
];
