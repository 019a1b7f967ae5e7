import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { register as registerAnalysis } from '@sluice/http-analysis';
import { register as registerHttp } from '@sluice/http-app';
import { register } from '@sluice/http.handlers';
import { register as registerProxyParts } from '@sluice/http.reverse_proxy';
import { findingsOf, withRoutes } from '@sluice/testing';
import type { Json } from '@sluice/base';

describe('checks of http.handlers', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-checks-'));
    await writeFile(join(folder, 'file'), '');
  });
  after(() => rm(folder, { recursive: true }));

  async function findings(handler: Json, server: Readonly<Record<string, Json>> = {}): Promise<string[]> {
    const document = withRoutes([{ handle: [handler] }], { automatic_https: { disable: true }, ...server });
    const found = await findingsOf(document, [registerHttp, registerAnalysis, register, registerProxyParts]);
    // Ignores findings about other parts of the configuration, such as unset placeholders.
    const about = found.filter(({ path, code }) => path.includes('handle[0].') && code !== 'SL020');
    return about.map(({ check, path, message }) => `${check} ${path.split('handle[0].')[1]} ${message}`);
  }

  const proxy = (dial: Json): Json => ({ handler: 'reverse_proxy', upstreams: [{ dial }] });
  const cases: readonly (readonly [name: string, handler: () => Json, found: RegExp | null])[] = [
    ['a dial address with a port', () => proxy('localhost:80'), null],
    ['the dial address of a Unix socket', () => proxy('unix//run/app.sock'), null],
    ['a dial address with placeholders', () => proxy('{http.vars.upstream}'), null],
    [
      'a dial address without a port',
      () => proxy('localhost'),
      /^proxy-dial-address upstreams\[0\]\.dial .*it must have exactly one port/,
    ],
    ['a dial address with a port range', () => proxy('localhost:80-90'), /^proxy-dial-address .*one port/],
    [
      'an http URL as a dial address',
      () => proxy('http://app:3000/x'),
      /^proxy-dial-address .*is a URL.*write "app:3000"$/,
    ],
    [
      'an https URL as a dial address',
      () => proxy('https://app'),
      /write "app:443", and a transport with "tls": \{\}$/,
    ],
    ['an empty dial address', () => proxy(''), /^proxy-dial-address .*is missing/],
    [
      'a proxy without upstreams',
      () => ({ handler: 'reverse_proxy' }),
      /^proxy-without-upstreams upstreams no upstreams/,
    ],
    ['an empty list of upstreams', () => ({ handler: 'reverse_proxy', upstreams: [] }), /^proxy-without-upstreams/],
    [
      'dynamic upstreams',
      () => ({ handler: 'reverse_proxy', dynamic_upstreams: { source: 'a', name: 'app', port: '80' } }),
      null,
    ],
    ['a status code', () => ({ handler: 'static_response', status_code: 404 }), null],
    ['a status code in a string', () => ({ handler: 'static_response', status_code: '404' }), null],
    [
      'a placeholder as a status code',
      () => ({ handler: 'static_response', status_code: '{http.error.status_code}' }),
      null,
    ],
    [
      'a status code that is not a number',
      () => ({ handler: 'static_response', status_code: 'teapot' }),
      /^status-code status_code "teapot" is not a status/,
    ],
    [
      'a status code that is too small',
      () => ({ handler: 'error', status_code: 7 }),
      /^status-code status_code 7 is not a status/,
    ],
    ['an existing root', () => ({ handler: 'file_server', root: folder }), null],
    ['a root with a request placeholder', () => ({ handler: 'file_server', root: '/srv/{http.request.host}' }), null],
    [
      'a missing root',
      () => ({ handler: 'file_server', root: join(folder, 'none') }),
      /^missing-root root cannot read directory .*none" \(ENOENT\)/,
    ],
    [
      'a root that is a file',
      () => ({ handler: 'file_server', root: join(folder, 'file') }),
      /^missing-root root .*file" is not a directory/,
    ],
    ['a missing root in vars', () => ({ handler: 'vars', root: join(folder, 'none') }), /^missing-root root/],
    [
      'a missing root in templates',
      () => ({ handler: 'templates', file_root: join(folder, 'none') }),
      /^missing-template-root file_root/,
    ],
    [
      'an unknown named route',
      () => ({ handler: 'invoke', name: 'nope' }),
      /^unknown-named-route name .*"nope"; this server has known$/,
    ],
    ['a known named route', () => ({ handler: 'invoke', name: 'known' }), null],
    [
      'an invalid dial address in a subroute',
      () => ({ handler: 'subroute', routes: [{ handle: [proxy('x')] }] }),
      /^proxy-dial-address routes\[0\]/,
    ],
  ];
  for (const [name, handler, found] of cases) {
    it(`the lint checks of http.handlers ${found === null ? 'accept' : 'report'} ${name}`, async () => {
      const said = await findings(handler(), { named_routes: { known: { handle: [{ handler: 'vars' }] } } });
      if (found === null) expect(said).to.be.empty;
      else expect(said.join('\n')).to.match(found);
    });
  }
});
