/** SL039. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';
import { isLocal, isPlain } from '../addresses.ts';
import { everyRoute } from '../every-route.ts';
import { isSecretOption, secretsInFields, secretsInUrls } from '../fields/secrets.ts';
import { serversOf } from '../servers.ts';

const plainText =
  'is a secret in plain text: keep it in the environment or a file, and write {env.NAME} or {file./path}';

export const plainCredentials = defineLint({
  code: 'SL039',
  name: 'plain-credentials',
  severity: 'warning',
  summary: 'A plain text secret, a weak password hash, or passwords over plain HTTP.',
  details: `A configuration is read by more people than the secrets in it are for, and the admin API shows it: write \`{env.NAME}\` or \`{file./run/secrets/name}\`.
Hashes of bcrypt with a cost below 10 are guessed quickly; \`sluice hash-password\` makes better ones. Passwords over plain HTTP can be read
on the way.`,
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
            `is a hash of bcrypt with a cost of ${text.slice(4, 6)}, which is guessed quickly: make one with sluice hash-password`,
          );
    }
    for (const id of [...configuration.ids].filter((each) =>
      /^(?:dns\.providers|tls\.issuance|caddy\.storage)\./.test(each),
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
            report(path, 'asks for passwords over plain HTTP, where they can be read on the way: serve it over TLS');
      }
    }
  },
});
