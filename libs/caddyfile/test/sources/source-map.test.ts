import { expect } from 'chai';
import { adapt } from '../language.ts';

describe('source positions of documents adapted from a Caddyfile', () => {
  const text = `{
	admin :2020 {
		origins a b
		enforce_origin
	}
	log {
		output file /var/log/a
		level WARN
	}
}

(snippet) {
	header A {args[0]}
}

a.test, b.test {
	import snippet 1
	respond /path "a body"
	handle /x/* {
		respond inner
	}
	tls {
		protocols tls1.2 tls1.3
		alpn h2
		issuer acme
	}
}
`;
  const site = ['apps', 'http', 'servers', 'srv0', 'routes', '0'];
  const inner = [...site, 'handle', '0', 'routes'];

  for (const [what, path, line] of [
    ['an option', ['admin', 'listen'], 2],
    ['an element of a list option', ['admin', 'origins', '1'], 3],
    ['a log', ['logging', 'logs', 'default', 'level'], 8],
    ['a log module', ['logging', 'logs', 'default', 'writer', 'name'], 7],
    ['a server', ['apps', 'http', 'servers', 'srv0', 'listen', '0'], 16],
    ['a site host', [...site, 'match', '0', 'host', '1'], 16],
    ['a snippet', [...inner, '0', 'handle', '0', 'A'], 13],
    ['a matcher', [...inner, '2', 'match', '0', 'path', '0'], 18],
    ['a body', [...inner, '2', 'handle', '0', 'body'], 18],
    ['a directive in a block', [...inner, '1', 'handle', '0', 'routes', '0', 'handle', '0', 'body'], 20],
    ['the closest existing parent of a missing value', [...inner, '2', 'handle', '0', 'nope', 'x'], 18],
  ] as const)
    it(`the source map contains the line of ${what}`, async () => {
      const { sources } = await adapt(text);
      expect(sources?.placeOf(path)).to.include({ file: 'Caddyfile', line });
    });
});
