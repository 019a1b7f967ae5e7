import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { adapterOf } from '../adapting.ts';

const { adapt } = adapterOf('nginx');

interface Server extends JsonObject {
  readonly listen: readonly string[];
}

async function serversOf(text: string): Promise<Record<string, Server>> {
  const { config } = await adapt(text);
  return (config as { apps: { http: { servers: Record<string, Server> } } }).apps.http.servers;
}

describe('caddy.adapters.nginx: servers', () => {
  const listens: [listen: string, addresses: readonly string[]][] = [
    ['listen 8080;', ['tcp4/0.0.0.0:8080']],
    ['', ['tcp4/0.0.0.0:80']],
    ['listen *:81;', ['tcp4/0.0.0.0:81']],
    ['listen 10.0.0.1;', ['10.0.0.1:80']],
    ['listen 10.0.0.1:82;', ['10.0.0.1:82']],
    ['listen localhost:83;', ['localhost:83']],
    ['listen [::1]:84;', ['[::1]:84']],
    ['listen [::]:85;', ['tcp6/[::]:85']],
    ['listen [::]:86 ipv6only=off;', [':86']],
    ['listen 87; listen [::]:87;', [':87']],
    ['listen unix:/run/a.sock;', ['unix//run/a.sock']],
  ];
  for (const [listen, addresses] of listens) {
    it(`the nginx adapter translates ${listen || 'a server without listen'}`, async () => {
      const servers = await serversOf(`http { server { ${listen} } }`);
      expect(Object.values(servers).map((server) => server.listen)).to.deep.equal([addresses]);
    });
  }

  it('the nginx adapter configures HTTP versions separately for each listener', async () => {
    const servers = await serversOf(
      `http { server { listen 1; } server { listen 2 http2; } server { listen 3 proxy_protocol; } }`,
    );
    expect(Object.values(servers).map(({ protocols }) => protocols)).to.deep.equal([['h1'], ['h1', 'h2c'], ['h1']]);
    expect(servers['srv2']).to.deep.include({ listener_wrappers: [{ wrapper: 'proxy_protocol' }] });
  });

  it('the nginx adapter selects certificates by server name, and uses the certificate of the default server for other names', async () => {
    const one =
      'listen 443 ssl http2; server_name a.test *.a.test; ssl_certificate /a.pem; ssl_certificate_key /a.key; ssl_protocols TLSv1.3;';
    const two =
      'listen 443 ssl default_server; server_name b.test; ssl_certificate /b.pem; ssl_certificate_key /b.key;';
    const { config } = await adapt(`http { server { ${one} } server { ${two} } }`);
    const { apps } = config as { apps: JsonObject };
    expect(apps['tls']).to.deep.equal({
      certificates: {
        load_files: [
          { certificate: '/a.pem', key: '/a.key', tags: ['/a.pem'] },
          { certificate: '/b.pem', key: '/b.key', tags: ['/b.pem'] },
        ],
      },
    });
    const servers = await serversOf(`http { server { ${one} } server { ${two} } }`);
    const policy = {
      certificate_selection: { any_tag: ['/a.pem'] },
      protocol_min: 'tls1.3',
      protocol_max: 'tls1.3',
    };
    expect(servers['srv0']).to.deep.include({
      protocols: ['h1', 'h2'],
      automatic_https: { disable: true },
      tls_connection_policies: [
        { match: { sni: ['a.test'] }, ...policy },
        { match: { sni: ['b.test'] }, certificate_selection: { any_tag: ['/b.pem'] } },
        { match: { sni_regexp: { pattern: '(?i)^.+\\.a\\.test$' } }, ...policy },
        { certificate_selection: { any_tag: ['/b.pem'] } },
      ],
    });
  });

  it('the nginx adapter verifies client certificates separately for each server', async () => {
    const tls = 'listen 443 ssl; ssl_certificate /a.pem; ssl_certificate_key /a.key;';
    const verifying = 'ssl_verify_client on; ssl_client_certificate /ca.pem;';
    const servers = await serversOf(
      `http { server { ${tls} server_name a.test; } server { ${tls} server_name b.test; listen 80; ${verifying} } }`,
    );
    const entrances = (name: string): number =>
      JSON.stringify(servers[name]).split('{http.request.tls.client.verify}').length - 1;
    expect(servers['srv0']).to.deep.include({ listen: ['tcp4/0.0.0.0:443'] });
    expect(servers['srv0']).to.include({ strict_sni_host: false });
    expect(entrances('srv0')).to.be.greaterThan(0);
    expect(servers['srv1']).not.to.have.property('strict_sni_host');
    expect(entrances('srv1')).to.equal(0);
    const plain = await serversOf(`http { server { ${tls} server_name a.test; } }`);
    expect(plain['srv0']).not.to.have.property('strict_sni_host');
  });

  it('an nginx server without a certificate uses the certificate of the default server, and causes a warning', async () => {
    const { config, warnings } = await adapt(
      'http { server { listen 443 ssl; ssl_certificate /a.pem; ssl_certificate_key /a.key; } server { listen 443 ssl; server_name b.test; } }',
    );
    expect(JSON.stringify(config)).not.to.contain('"sni"');
    expect(warnings.map(({ message }) => message).join()).to.contain('its handshakes use the default server');
  });

  it('the nginx adapter translates ssl_reject_handshake to a connection policy that drops handshakes', async () => {
    const servers = await serversOf('http { server { listen 443 ssl; ssl_reject_handshake on; } }');
    expect(servers['srv0']).to.deep.include({ tls_connection_policies: [{ drop: true }] });
  });

  it('the nginx adapter adds path matchers so that the route index can find locations', async () => {
    const locations = '= /e, /a/, ^~ /s/, /b, /a/b/, ~ x$, "/c d/", /g*, /'.split(', ');
    const { config } = await adapt(
      `http { server { ${locations.map((each) => `location ${each} { return 204; }`).join(' ')} } }`,
    );
    const routes = [...JSON.stringify(config).matchAll(/"match":\[(\{"(?:path|path_regexp)".*?\})\],"handle"/g)];
    expect(routes.map(([, match = '']) => (JSON.parse(match) as { path?: string[] }).path?.[0])).to.deep.equal([
      '/e',
      '/s/*',
      undefined,
      '/a/b/*',
      undefined,
      '/a/*',
      undefined,
      '/b*',
    ]);
  });

  it('the nginx adapter adds path matchers for literal prefixes of regular expressions if all alternatives have such a prefix', async () => {
    const expressions: Readonly<Record<string, string | undefined>> = {
      '^/r1/(\\w+)$': '/r1/*',
      '^/a-b/c\\.d': '/a-b/c.d*',
      '^/x/?$': '/x*',
      '^/xy+z': '/x*',
      '^/(a|b)/c': undefined,
      '^/v/(a|b)$': '/v/*',
      '^/v/((a|b)|c)$': undefined,
      '^/a|/b': undefined,
      '^/n/[|(]$': '/n/*',
      '^//e': undefined,
      '/f': undefined,
    };
    for (const [expression, key] of Object.entries(expressions)) {
      for (const [sign, wanted] of [
        ['~', key],
        ['~*', undefined],
      ]) {
        const { config } = await adapt(`http { server { location ${sign} "${expression}" { return 204; } } }`);
        expect(/"path":\["([^"]*)"\],"path_regexp"/.exec(JSON.stringify(config))?.[1], expression).to.equal(wanted);
      }
    }
  });

  it('an empty nginx configuration adapts to an empty Sluice configuration', async () => {
    expect(await adapt('')).to.deep.equal({ config: { apps: {} }, warnings: [] });
  });

  it('nginx access logs are written to their own files and excluded from the server log', async () => {
    const { config } = await adapt('error_log /e.log warn; http { server { server_name a; access_log /a.log; } }');
    const { logging } = config as { logging: { logs: Record<string, JsonObject> } };
    const name = 'nginx_a_log';
    expect(logging.logs[name]).to.deep.include({ include: [`http.log.access.${name}`] });
    expect(logging.logs['default']).to.deep.equal({
      writer: { output: 'file', filename: '/e.log', roll: false },
      level: 'WARN',
      exclude: [`http.log.access.${name}`],
    });
  });
});
