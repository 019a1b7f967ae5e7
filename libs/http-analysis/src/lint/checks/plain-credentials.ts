/** Lint check SL039. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';
import { isLocal, isPlain } from '../addresses.ts';
import { everyRoute } from '../every-route.ts';
import { isSecretOption, secretsInFields, secretsInUrls } from '../fields/secrets.ts';
import { serversOf } from '../servers.ts';

const plainText =
  'is a secret in plain text: store it in the environment or a file, and write {env.NAME} or {file./path}';

export const plainCredentials = defineLint({
  code: 'SL039',
  name: 'plain-credentials',
  severity: 'warning',
  summary: 'A secret is in plain text, a password hash is weak, or passwords are sent over plain HTTP.',
  details: `Configurations are often readable by people who must not see the secrets, and the admin API also returns the secrets. Use \`{env.NAME}\` or \`{file./run/secrets/name}\` instead. The check covers secrets of issuers, storages, DNS and OpenID providers, tokens and keys in header fields, and passwords in URLs. Bcrypt hashes with a cost below 10 are easy to crack; generate a new one with \`sluice hash-password\`. Anyone on the network path can read passwords that are sent over plain HTTP.`,
  bad: caddyfile(`http://example.com {
	basic_auth {
		anna $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond "hello"
}
`),
  good: caddyfile(`example.com {
	basic_auth {
		anna $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond "hello"
}
`),
  async check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.authentication.providers.http_basic')) {
      for (const { text, path: at } of textsIn(isObject(node) ? own(node, 'accounts') : undefined, [
        ...path,
        'accounts',
      ]))
        if (at.at(-1) === 'password' && /^\$2[abxy]?\$0[4-9]\$/.test(text))
          report(
            at,
            `is a bcrypt hash with a cost of ${text.slice(4, 6)}, which is easy to crack: generate a new one with sluice hash-password`,
          );
    }
    for (const id of [...configuration.ids].filter((each) =>
      /^(?:(?:dns\.providers|tls\.issuance|caddy\.storage)\.|http\.authentication\.providers\.oidc$)/.test(each),
    )) {
      for (const { text, path: at } of configuration
        .modulesOf(id)
        .flatMap(({ node, path }) => [...textsIn(node, path)]))
        if (isSecretOption(at) && text !== '' && !text.includes('{')) report(at, plainText);
    }
    for (const { path } of secretsInFields(configuration)) report(path, plainText);
    for (const { path } of secretsInUrls(configuration)) report(path, plainText);
    for (const server of await serversOf(configuration)) {
      if (isLocal(server) || own(server.node, 'trusted_proxies') || !isPlain(server, configuration.document)) continue;
      for (const { handlers } of everyRoute(server)) {
        for (const { name, path } of handlers)
          if (name === 'authentication')
            report(
              path,
              'authenticates users over plain HTTP, so anyone on the network path can read passwords and sessions: use HTTPS',
            );
      }
    }
  },
});
