/** The `auth-tls-*` annotations. The TLS handshake requests client certificates, and a handler verifies them for each request. */
import type { JsonObject } from '@sluice/base';
import { quoteRegExp } from '../../../common/text.ts';
import { secretOf, type IngressScope } from '../scope.ts';
import { authoritiesIn } from './proxy.ts';
import { redirect } from './redirects.ts';

export interface ClientAuthentication {
  /** Client authentication options of the TLS connection policy. */
  readonly policy: JsonObject;
  /** Handlers that reject HTTPS requests without a valid certificate. */
  readonly checks: readonly JsonObject[];
  /** Handlers for plain HTTP requests. */
  readonly plainChecks: readonly JsonObject[];
}

/** Placeholder for the result of the verification: `SUCCESS`, `NONE`, or `FAILED:` with the reason. */
const verified = '{http.request.tls.client.verify}';

const modes = ['on', 'off', 'optional', 'optional_no_ca'] as const;

export function clientAuthentication(host: string, scope: IngressScope): ClientAuthentication | null {
  const { annotations } = scope;
  const text = annotations.text('auth-tls-verify-client') ?? 'on';
  const mode = modes.find((each) => each === text);
  if (mode === undefined)
    return annotations.refuse('auth-tls-verify-client', `expected ${modes.join(', ')}, not ${JSON.stringify(text)}`);
  if (mode === 'off') return null;
  const authorities = authoritiesIn(secretOf('auth-tls-secret', scope).data ?? {});
  if (authorities.length === 0) return annotations.refuse('auth-tls-secret', 'the Secret has no certificate in ca.crt');
  const accepted = { on: ['SUCCESS'], optional: ['SUCCESS', 'NONE', ''], optional_no_ca: null }[mode];
  const name = annotations.pattern('auth-tls-match-cn');
  if (name === null) return annotations.refuse('auth-tls-match-cn', 'the regular expression is invalid');
  const rejecting = (status: number, match: JsonObject): JsonObject => ({
    match: [match],
    handle: [{ handler: 'error', status_code: status }],
    terminal: true,
  });
  const checks: JsonObject = {
    handler: 'subroute',
    routes: [
      // Reject requests on connections that were opened for other hosts, because the handshake could have used a different CA.
      ...(host === '' ? [] : [rejecting(421, { not: [serverNameMatcher(host)] })]),
      ...(accepted === null ? [] : [rejecting(400, { not: [{ vars: { [verified]: accepted } }] })]),
      ...(name === undefined
        ? []
        : [
            rejecting(403, {
              not: [
                {
                  vars_regexp: {
                    '{http.request.tls.client.subject}': { pattern: name.replace(/^\^?CN=/, '(?:^|,)CN=') },
                  },
                },
              ],
            }),
          ]),
    ],
  };
  const isRequired = mode === 'on' || name !== undefined;
  return {
    policy: {
      client_authentication: { mode: 'request', ca: { provider: 'inline', trusted_ca_certs: authorities } },
    },
    checks: [checks],
    plainChecks: isRequired ? [redirect(308, 'https://{http.request.host}{http.request.uri}')] : [],
  };
}

function serverNameMatcher(host: string): JsonObject {
  const name = '{http.request.tls.server_name}';
  if (!host.startsWith('*.')) return { vars: { [name]: [host] } };
  return { vars_regexp: { [name]: { pattern: `(?i)^[^.]+${quoteRegExp(host.slice(1))}$` } } };
}
