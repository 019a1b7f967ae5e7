import { expect } from 'chai';
import { adapt, documentOf, problemOf, responding, serversOf } from '../language.ts';

const around = (...routes: readonly object[]): object => ({ handler: 'subroute', routes });

describe('sites in a Caddyfile', () => {
  it('Caddyfile sites become server routes for their hosts, with the longest host first', async () => {
    const servers = await serversOf(
      'example.com, www.example.com {\n\trespond a\n}\n*.example.com {\n\trespond b\n}\nexample.com/docs/* {\n\trespond c\n}\n',
    );
    expect(servers).to.deep.equal({
      srv0: {
        listen: [':443'],
        routes: [
          {
            match: [{ host: ['example.com', 'www.example.com'] }],
            handle: [around({ handle: [responding('a')] })],
            terminal: true,
          },
          {
            match: [{ host: ['example.com'], path: ['/docs/*'] }],
            handle: [around({ handle: [responding('c')] })],
            terminal: true,
          },
          { match: [{ host: ['*.example.com'] }], handle: [around({ handle: [responding('b')] })], terminal: true },
        ],
      },
    });
  });

  it('a single catch-all Caddyfile site needs no enclosing route', async () => {
    expect(await serversOf(':80 {\n\trespond a\n}\n')).to.deep.equal({
      srv0: { listen: [':80'], routes: [{ handle: [responding('a')] }] },
    });
    expect(await serversOf(':80 {\n}\n')).to.deep.equal({ srv0: { listen: [':80'] } });
  });

  it('Caddyfile sites are grouped into servers by listener address', async () => {
    const servers = await serversOf(
      'http://a.test {\n\trespond a\n}\nb.test:8443 {\n\trespond b\n}\nc.test:8443 {\n\trespond c\n}\n:9000 {\n\tbind 127.0.0.1 [::1] {\n\t\tprotocols h1 h2\n\t}\n\trespond d\n}\n',
    );
    const seen = Object.entries(servers).map(([name, server]) => {
      const { listen = [], routes = [] } = server as { listen?: string[]; routes?: unknown[] };
      return `${name} ${listen.join(' ')} ${routes.length}`;
    });
    // After a listener is merged into another one, its number remains unused.
    expect(seen).to.deep.equal(['srv0 127.0.0.1:9000 [::1]:9000 1', 'srv1  0', 'srv2 :80 1', 'srv3 :8443 2']);
    expect(servers['srv0']).to.deep.include({
      listen_protocols: [
        ['h1', 'h2'],
        ['h1', 'h2'],
      ],
    });
  });

  it('Caddyfile sites listen on the ports and addresses set by global options', async () => {
    const servers = await serversOf(
      '{\n\thttp_port 8080\n\thttps_port 8443\n\tdefault_bind `[{"addresses":["127.0.0.1"],"protocols":[]}]`\n}\na.test {\n}\nhttp://b.test {\n}\n',
    );
    expect(Object.values(servers).map((server) => (server as { listen: string[] }).listen)).to.deep.equal([
      ['127.0.0.1:8080'],
      ['127.0.0.1:8443'],
    ]);
  });

  for (const [what, text, problem] of [
    ['a duplicate address', 'a.test {\n}\na.test {\n}\n', 'ambiguous site definition: a.test'],
    ['the scheme wss', 'wss://a.test {\n}\n', 'wss:// is only supported in browsers; use https:// instead'],
    ['the scheme ws', 'ws://a.test {\n}\n', 'ws:// is only supported in browsers; use http:// instead'],
    ['an unknown scheme', 'ftp://a.test {\n}\n', 'unsupported URL scheme ftp://'],
    ['the HTTPS port in an HTTP address', 'http://a.test:443 {\n}\n', 'scheme and port violate convention'],
    ['a non-numeric port', 'a.test:x {\n}\n', "invalid port 'x'"],
    ['a port that is too large', 'a.test:65536 {\n}\n', 'port 65536 is out of range'],
    [
      'plain HTTP and HTTPS on one port',
      'http://a.test:9000 {\n}\nhttps://b.test:9000 {\n}\n',
      'cannot natively multiplex HTTP and HTTPS',
    ],
    [
      'TLS settings for plain HTTP',
      'http://a.test {\n\ttls connection_policy `{"alpn":["h2"]}`\n}\n',
      'is HTTP, but attempts to configure TLS',
    ],
    ['a directive instead of an address', 'respond {\n}\n', "parsed 'respond' as a site address"],
    ['a matcher instead of an address', '@a {\n}\n', 'request matchers may not be defined globally'],
    ['an unknown directive', ':80 {\n\trepsond a\n}\n', "unrecognized directive: repsond - did you mean 'respond'?"],
    ['an unknown global option', '{\n\tdebgu\n}\n', "unrecognized global option: debgu - did you mean 'debug'?"],
    ['global options after sites', ':80 {\n}\n{\n\tdebug\n}\n', 'server block without any key is global configuration'],
    ['a directive without an order', ':80 {\n\tloose a\n}\n', "directive 'loose' is not an ordered HTTP handler"],
    [
      'a non-handler directive in a block',
      ':80 {\n\troute {\n\t\tbind 1.1.1.1\n\t}\n}\n',
      'bind directive returned something other than an HTTP route',
    ],
    ['an undefined matcher', ':80 {\n\trespond @a b\n}\n', 'unrecognized matcher name: @a'],
    ['a duplicate matcher', ':80 {\n\t@a path /a\n\t@a path /b\n}\n', 'matcher is defined more than once: @a'],
    ['an unknown matcher module', ':80 {\n\t@a nope /a\n}\n', 'module not registered: http.matchers.nope'],
    ['an undefined named route', ':80 {\n\tinvoke a\n}\n', "cannot invoke named route 'a', which was not defined"],
    [
      'a duplicate named route',
      '&(a) {\n\trespond\n}\n&(a) {\n\trespond\n}\n:80 {\n}\n',
      'cannot have duplicate named_routes: a',
    ],
    [
      'an order for an unknown directive',
      '{\n\torder nope first\n}\n:80 {\n}\n',
      "parsing caddyfile tokens for 'order'",
    ],
    ['an unknown order position', '{\n\torder loose beside respond\n}\n:80 {\n}\n', "unknown positional 'beside'"],
  ] as const)
    it(`Caddyfile sites with ${what} are rejected`, async () => {
      expect(await problemOf(text)).to.contain(problem);
    });

  it('error routes for specific statuses precede other error routes', async () => {
    const servers = await serversOf(
      ':80 {\n\thandle_errors {\n\t\trespond all\n\t}\n\thandle_errors 404 {\n\t\trespond none\n\t}\n}\n',
    );
    expect((servers['srv0'] as { errors: { routes: object[] } }).errors.routes).to.deep.equal([
      { match: [{ expression: '404' }], handle: [around({ handle: [responding('none')] })] },
      { handle: [around({ handle: [responding('all')] })] },
    ]);
  });

  it('a Caddyfile site includes the named routes that it invokes, directly or indirectly', async () => {
    const servers = await serversOf(
      '&(a) {\n\tinvoke b\n}\n&(b) {\n\theader A 1\n\trespond b\n}\n&(c) {\n\trespond c\n}\n:80 {\n\tinvoke a\n}\n',
    );
    expect((servers['srv0'] as { named_routes: object }).named_routes).to.deep.equal({
      a: { handle: [{ handler: 'invoke', name: 'b' }] },
      b: { handle: [{ A: '1', handler: 'headers' }] },
    });
  });

  it('placeholder shorthands are expanded in Caddyfile sites', async () => {
    const text =
      ':80 {\n\trespond "{host} {path.1} {query.a} {header.X-A} {re.name.1} {err.message} {?query} {x} {path.a.b}"\n}\n';
    expect(JSON.stringify(await documentOf(text))).to.contain(
      '"{http.request.host} {http.request.uri.path.1} {http.request.uri.query.a} {http.request.header.X-A} ' +
        '{http.regexp.name.1} {http.error.message} {http.request.uri.prefixed_query} {x} {path.a.b}"',
    );
  });

  it('a Caddyfile site uses the settings of the servers block that applies to its server', async () => {
    const blocks = [
      { address: '', name: '', fields: { idle_timeout: 1, metrics: {}, allow_0rtt: true } },
      { address: ':81', name: 'one', fields: { protocols: ['h1'], strict_sni_host: true, logs: { trace: true } } },
    ];
    const servers = await serversOf(
      `{\n\tservers \`${JSON.stringify(blocks)}\`\n}\n:80 {\n\trespond a\n}\n:81 {\n\trespond b\n}\n`,
    );
    expect(JSON.stringify(servers)).to.equal(
      JSON.stringify({
        srv0: {
          listen: [':80'],
          idle_timeout: 1,
          routes: [{ handle: [responding('a')] }],
          metrics: {},
          allow_0rtt: true,
        },
        one: {
          listen: [':81'],
          routes: [{ handle: [responding('b')] }],
          strict_sni_host: true,
          logs: { trace: true },
          protocols: ['h1'],
        },
      }),
    );
    const twice = JSON.stringify([blocks[1], blocks[1]]);
    expect(await problemOf(`{\n\tservers \`${twice}\`\n}\n:81 {\n}\n`)).to.contain('duplicate listener addresses: :81');
  });

  it('Caddyfile sites support the modes of automatic HTTPS', async () => {
    const modesOf = async (modes: readonly string[]): Promise<unknown> => {
      const servers = await serversOf(`{\n\tauto_https \`${JSON.stringify(modes)}\`\n}\na.test {\n}\n`);
      return (servers['srv0'] as { automatic_https?: unknown }).automatic_https;
    };
    expect(await modesOf([])).to.equal(undefined);
    expect(await modesOf(['off', 'disable_certs'])).to.deep.equal({ disable: true });
    expect(await modesOf(['disable_redirects', 'disable_certs', 'ignore_loaded_certs'])).to.deep.equal({
      disable_redirects: true,
      disable_certificates: true,
      ignore_loaded_certificates: true,
    });
  });

  it('an unformatted Caddyfile and unused arguments cause warnings', async () => {
    const warnings = async (text: string): Promise<string[]> =>
      (await adapt(text)).warnings.map(({ line, message }) => `${line} ${message}`);
    expect(await warnings(':80 {\n\trespond a\n}\n')).to.deep.equal([]);
    expect((await warnings(':80 {\n  respond a\n}\n'))[0]).to.match(/^2 Caddyfile input is not formatted/);
    expect((await warnings(':80 {\n\trespond a {\n\t\tb c\n\t}\n}\n'))[0]).to.contain('no effect');
  });

  it('every value of an adapted document has a source position', async () => {
    const { sources } = await adapt(':80 {\n\theader A 1\n\trespond a\n}\n');
    const place = sources?.placeOf(['apps', 'http', 'servers', 'srv0', 'routes', '0', 'handle', '1']);
    expect(place).to.include({ file: 'Caddyfile', line: 3 });
  });
});
