/** Lint check SL071. */
import { caddyfile, defineLint } from '@sluice/registry';
import { textOf } from './enclosing-routes.ts';

/** Minimum length of client secrets. A shorter secret can be guessed. Providers generate longer ones. */
const minSecret = 16;

export const insecureSignIn = defineLint({
  code: 'SL071',
  name: 'insecure-sign-in',
  severity: 'warning',
  summary: 'An OpenID sign-in uses plain HTTP, or a client secret that is too short.',
  details: `Over plain HTTP, anyone on the network path can read codes, tokens and session cookies, and can impersonate the provider. Use HTTPS for \`issuer\` and
\`redirect_uri\`; only loopback addresses are exempt. Client secrets with fewer than ${minSecret} characters can be guessed: generate a new one at the provider.`,
  bad: caddyfile(`app.example.com {
	oidc {
		issuer http://id.example.com
		client_id app
	}
	respond "hello"
}
`),
  good: caddyfile(`app.example.com {
	oidc {
		issuer https://id.example.com
		client_id app
	}
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.authentication.providers.oidc')) {
      for (const key of ['issuer', 'redirect_uri'])
        if (isPlainHttp(textOf(node, key)))
          report([...path, key], 'uses plain HTTP, so others can read tokens and session cookies: use https://');
      const secret = textOf(node, 'client_secret');
      if (secret !== '' && !secret.includes('{') && secret.length < minSecret)
        report(
          [...path, 'client_secret'],
          `has fewer than ${minSecret} characters and can be guessed: generate a new one at the provider`,
        );
    }
  },
});

function isPlainHttp(text: string): boolean {
  if (!text.startsWith('http://') || !URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return !/^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
