import { expect } from 'chai';
import { adaptConfig } from '@sluice/reconciler';
import { standardRegistry } from './standard-registry.ts';

const registry = standardRegistry();

/** Returns the explanation for each line of a Caddyfile. */
async function explain(...lines: readonly string[]): Promise<readonly string[]> {
  const { explain: say } = await adaptConfig(registry, 'caddyfile', `${lines.join('\n')}\n`);
  return (say?.() ?? expect.fail('explains nothing')).trimEnd().split('\n');
}

describe('caddy.adapters.caddyfile: explanations of the directive order', () => {
  it('explain() reports the directive order, and the blocks that keep the written order', async () => {
    expect(await explain('example.com {', '\trespond hi', '\theader X 1', '\ttls internal', '}')).to.deep.equal([
      'example.com (Caddyfile:1)',
      '  1. header X 1 (Caddyfile:3): first in the directive order',
      '  2. respond hi (Caddyfile:2): respond comes after header in the directive order',
    ]);
  });

  it('explain() reports the global option that changed the position of a directive', async () => {
    const said = await explain('{', '\torder respond before header', '}', ':80 {', '\theader X 1', '\trespond hi', '}');
    expect(said.at(-1)).to.equal(
      '  2. header X 1 (Caddyfile:5): header comes after respond in the directive order; set by the global option order respond before header',
    );
  });

  it('explain() reports why one matcher is more specific than another', async () => {
    const said = await explain(
      ':80 {',
      '\t@post method POST',
      '\trespond a',
      '\trespond /a/* b',
      '\trespond /a/b/* c',
      '\trespond /a/x d',
      '\trespond /a/y/* e',
      '\trespond /a/y/ f',
      '\trespond /a/w h',
      '\trespond @post g',
      '}',
    );
    expect(said.slice(1)).to.deep.equal([
      '  1. respond /a/b/* c (Caddyfile:5): first in the directive order',
      '  2. respond /a/y/ f (Caddyfile:8): the path /a/b/* is longer, and therefore more specific than /a/y/',
      '  3. respond /a/y/* e (Caddyfile:7): the path /a/y/ without a wildcard is more specific than /a/y/*',
      '  4. respond /a/w h (Caddyfile:9): the path /a/y/* is longer, and therefore more specific than /a/w',
      '  5. respond /a/x d (Caddyfile:6): paths of equal length are sorted by name: /a/w, /a/x',
      '  6. respond /a/* b (Caddyfile:4): the exact path /a/x is more specific than /a/*',
      '  7. respond @post g (Caddyfile:10): as written: neither matcher is more specific (only single paths are compared)',
      '  8. respond a (Caddyfile:3): no matcher; directives with a matcher come first',
    ]);
  });

  it('explain() shows handle and route blocks, and reports that blocks are mutually exclusive', async () => {
    const said = await explain(
      ':80 {',
      '\thandle {',
      '\t\tfile_server',
      '\t\troot * /srv',
      '\t}',
      '\thandle_path /a/* {',
      '\t\troute {',
      '\t\t\trespond x',
      '\t\t\theader X 1',
      '\t\t}',
      '\t}',
      '}',
    );
    expect(said.slice(1)).to.deep.equal([
      '  1. handle_path /a/* (Caddyfile:6): first in the directive order',
      '     1. route (Caddyfile:7)',
      '        1. respond x (Caddyfile:8): as written: route preserves the order',
      '        2. header X 1 (Caddyfile:9): as written: route preserves the order',
      '  2. handle (Caddyfile:2): no matcher; directives with a matcher come first',
      '     1. root * /srv (Caddyfile:4): first in the directive order',
      '     2. file_server (Caddyfile:3): file_server comes after root in the directive order',
      '  Of these handle and handle_path directives, only the first match runs.',
    ]);
  });

  it('explain() lists error routes, and the import that added a directive', async () => {
    const said = await explain(
      '(e) {',
      '\thandle_errors {',
      '\t\trespond x',
      '\t}',
      '\thandle_errors 404 {',
      '\t\trespond y',
      '\t}',
      '}',
      ':80 {',
      '\timport e',
      '}',
    );
    expect(said).to.deep.equal([
      ':80 (Caddyfile:9)',
      '  no directive that handles requests',
      '  on errors:',
      '  1. handle_errors 404 (Caddyfile:5, imported at Caddyfile:10): error routes for specific statuses come before error routes for all statuses',
      '     1. respond y (Caddyfile:6, imported at Caddyfile:10)',
      '  2. handle_errors (Caddyfile:2, imported at Caddyfile:10): for all statuses',
      '     1. respond x (Caddyfile:3, imported at Caddyfile:10)',
    ]);
  });

  it('explain() lists a site only once even if the site belongs to several servers, and reports overwritten variables', async () => {
    const said = await explain('http://a.com, https://a.com {', '\tvars /x a 2', '\tvars a 1', '}', ':81 {', '}');
    expect(said).to.deep.equal([
      'http://a.com https://a.com (Caddyfile:1)',
      '  1. vars a 1 (Caddyfile:3): first in the directive order',
      '  2. vars /x a 2 (Caddyfile:2): the most specific directive comes last here, so that it overwrites the others',
      '',
      ':81 (Caddyfile:5)',
      '  no directive that handles requests',
    ]);
  });

  it('explain() shows the expansion of php_fastcgi, with and without a matcher', async () => {
    const said = await explain(':80 {', '\tphp_fastcgi a:1 {', '\t\tindex off', '\t}', '\tphp_fastcgi /x/* b:2', '}');
    expect(said[1]).to.equal('  1. php_fastcgi a:1 (Caddyfile:2): first in the directive order');
    expect(said[2]).to.match(/^ {2}2\. php_fastcgi \/x\/\* b:2 .*several routes of one directive stay together$/);
    expect(said[3]).to.equal('     expands to the following, in this fixed order:');
    expect(said.slice(4).map((line) => line.replace(/ \{.*: /, ': ').replace(/(: \w+) .*/, '$1'))).to.deep.equal([
      '     1. where file: static_response',
      '     2. where file: rewrite',
      '     3. where path ["*.php"]: reverse_proxy',
    ]);
    const several = await explain(':80 {', '\tphp_fastcgi a:1', '}');
    expect(several.slice(2)).to.have.length(4);
    expect(several[2]).to.equal('     expands to the following, in this fixed order:');
  });

  it('explain() shows the steps of forward_auth and the handlers of a single route', async () => {
    const said = await explain(
      ':80 {',
      '\tforward_auth a:1 {',
      '\t\turi /check',
      '\t\tcopy_headers Who',
      '\t}',
      '\theader {',
      '\t\tX 1',
      '\t\t?Z 3',
      '\t}',
      '}',
    );
    expect(said.slice(2, 4)).to.deep.equal([
      '     expands to the following, in this fixed order:',
      '     1. headers {"response":{"set":{"X":["1"]}}}, headers {"response":{"require":{"headers":{"Z":null}},"set":{"Z":["3"]}}}',
    ]);
    expect(said.slice(5)).to.deep.equal([
      '     after a response where status_code [2]: the following, in this fixed order:',
      '     1. vars',
      '     2. headers {"request":{"delete":["Who"]}}',
      '     3. where not [{"vars":{"{http.reverse_proxy.header.Who}":[""]}}]: headers {"request":{"set":{"Who":["{http.reverse_proxy.header.Who}"]}}}',
    ]);
  });

  it('explain() shows no expansion for a directive that becomes a single handler', async () => {
    expect(await explain(':80 {', '\treverse_proxy a:1', '}')).to.have.length(2);
  });
});
