/** Lint checks SL067 and SL068, for WebDAV. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';

const webdavId = 'http.handlers.webdav';

export const openWebdav = defineLint({
  code: 'SL067',
  name: 'open-webdav',
  severity: 'error',
  summary: 'Anyone can change files through WebDAV.',
  details: `\`webdav\` itself does not authenticate clients. Anyone who can reach the server can read, overwrite and delete all files. Require authentication before it (\`basic_auth\`, \`jwtauth\`, \`forward_auth\`), require client certificates, or restrict client addresses (\`remote_ip\`). Protect the whole directory: COPY and MOVE send the destination in a header field, so a rule for only some of the paths does not apply to the destination.`,
  bad: caddyfile(`example.com {
	route {
		webdav {
			root /srv/files
		}
	}
}
`),
  good: caddyfile(`example.com {
	route {
		basic_auth {
			ada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
		}
		webdav {
			root /srv/files
		}
	}
}
`),
  check(configuration, report) {
    for (const { path } of configuration.modulesOf(webdavId)) {
      const server = path.slice(0, serverDepth);
      if (!isLocal(configuration, server) && !isGuarded(configuration, server))
        report(path, 'lets anyone change files: require authentication, for example with basic_auth');
    }
  },
});

export const encodedWebdav = defineLint({
  code: 'SL068',
  name: 'encoded-webdav',
  severity: 'warning',
  summary: 'WebDAV responses are compressed, which changes their entity tags.',
  details: `Each encoding of a file has a separate entity tag, but PUT compares \`If-Match\` with the tag of the uncompressed file. If a client downloads a compressed file and saves it with \`If-Match\`, the request fails with status code 412. Use \`encode\` only for other routes.`,
  bad: caddyfile(`:8080 {
	bind 127.0.0.1
	route {
		encode
		webdav
	}
}
`),
  good: caddyfile(`:8080 {
	bind 127.0.0.1
	route {
		webdav
	}
}
`),
  check(configuration, report) {
    const encoders = configuration.modulesOf('http.handlers.encode');
    for (const { path } of configuration.modulesOf(webdavId))
      if (encoders.some((encoder) => isUnconditional(configuration, encoder.path) && precedes(encoder.path, path)))
        report(path, 'runs after encode, which changes entity tags: use encode only for other routes');
  },
});

/** Number of path segments in `apps.http.servers.<name>`. */
const serverDepth = 4;
/** Number of path segments from a route list to a handler: `routes`, index, `handle`, index. */
const handlerDepth = 4;

function isLocal(configuration: LintedConfiguration, server: ConfigPath): boolean {
  const listen = configuration.valueAt([...server, 'listen']);
  return (
    isArray(listen) &&
    listen.length > 0 &&
    listen.every((each) => /^(?:unix|fd)|(?:^|\/)(?:127\.|localhost|\[::1\])/.test(String(each)))
  );
}

/** Reports whether a server has a handler that can reject clients. */
function isGuarded(configuration: LintedConfiguration, server: ConfigPath): boolean {
  const within = (id: string, test: (node: Json) => boolean): boolean =>
    configuration.modulesOf(id).some(({ node, path }) => server.every((key, i) => path[i] === key) && test(node));
  const policies = configuration.valueAt([...server, 'tls_connection_policies']);
  return (
    within('http.handlers.authentication', () => true) ||
    within('http.matchers.remote_ip', () => true) ||
    within('http.matchers.client_ip', () => true) ||
    // Also look for proxies with response handlers, because `forward_auth` is adapted to such a proxy.
    within('http.handlers.reverse_proxy', (node) => isObject(node) && own(node, 'handle_response') !== undefined) ||
    (isArray(policies) && policies.some((each) => isObject(each) && own(each, 'client_authentication') !== undefined))
  );
}

/** Reports whether the route that contains a handler has no matchers. */
function isUnconditional(configuration: LintedConfiguration, path: ConfigPath): boolean {
  const match = configuration.valueAt([...path.slice(0, -2), 'match']);
  return !isArray(match) || match.length === 0;
}

/** Reports whether one handler runs before another. Both must be in the same route list, or one route list must contain the other. */
function precedes(first: ConfigPath, second: ConfigPath): boolean {
  const list = first.slice(0, -handlerDepth + 1);
  if (!list.every((key, i) => second[i] === key)) return false;
  const [route, handler] = [Number(first.at(-3)), Number(first.at(-1))];
  const [otherRoute, otherHandler] = [Number(second[list.length]), Number(second[list.length + 2])];
  return route < otherRoute || (route === otherRoute && handler < otherHandler);
}
