import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { lintFindings, withRoutes } from '@sluice/testing';

const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] };
const files = { handler: 'file_server' };
const root = { handler: 'vars', root: '/srv' };

/** Returns the JSON of a `handle` block in a Caddyfile. */
const handle = (path: Json, ...handlers: readonly Json[]): Json => ({
  group: 'g',
  match: [{ path }],
  handle: [{ handler: 'subroute', routes: [{ handle: [...handlers] }] }],
});

const found = async (route: Json): Promise<readonly string[]> =>
  (await lintFindings(withRoutes([route]), [])).filter(({ code }) => code === 'SL008').map(({ message }) => message);

describe('SL008, path-prefix', () => {
  it('SL008 reports a reverse_proxy route whose exact path looks like the path prefix of an application', async () => {
    expect(await found(handle(['/api'], proxy))).to.deep.equal([
      'matches only this path and nothing below it: use /api/*, or /api /api/* for both',
    ]);
    expect(await found({ match: [{ path: ['/shop/v2'] }], handle: [proxy] })).to.have.length(1);
  });

  it('SL008 reports a file_server route whose exact path is a directory', async () => {
    expect(await found(handle(['/downloads-2026'], root, files))).to.have.length(1);
  });

  it('SL008 accepts exact paths of single resources', async () => {
    for (const path of ['/health', '/graphql', '/ws', '/login', '/api/status.json'])
      expect(await found(handle([path], proxy)), path).to.deep.equal([]);
    for (const path of ['/favicon.ico', '/robots.txt', '/'])
      expect(await found(handle([path], root, files)), path).to.deep.equal([]);
  });

  it('SL008 accepts path prefixes, an exact path together with its prefix, other handlers and rewritten paths', async () => {
    expect(await found(handle(['/api/*'], proxy))).to.deep.equal([]);
    expect(await found(handle(['/api', '/api/*'], proxy))).to.deep.equal([]);
    expect(await found(handle(['/api'], { handler: 'static_response', body: 'docs' }))).to.deep.equal([]);
    expect(await found(handle(['/static'], { handler: 'rewrite', uri: '/index.html' }, files))).to.deep.equal([]);
  });
});
