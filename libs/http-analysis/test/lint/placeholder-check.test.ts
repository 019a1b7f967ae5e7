import { expect } from 'chai';
import { register as registerAnalysis } from '@sluice/http-analysis';
import { httpHandlers, register } from '@sluice/http-app';
import { defineModule, json, options } from '@sluice/registry';
import { findingsOf, withRoutes } from '@sluice/testing';

const says = defineModule(httpHandlers, {
  name: 'says',
  help: 'Takes anything.',
  config: options({ text: json('Anything.'), path_regexp: json('A pattern.'), destinations: json('Names.') }),
  provision: () => ({ handle: () => {} }),
});

describe('SL018, unknown-placeholder', () => {
  async function adviceFor(options_: object): Promise<string[]> {
    const document = withRoutes([{ handle: [{ handler: 'says', ...options_ }] }], {
      automatic_https: { disable: true },
    });
    const findings = await findingsOf(document, [register, registerAnalysis, (registry) => void registry.add(says)]);
    return findings
      .filter(({ check }) => check === 'unknown-placeholder')
      .map(({ path, message }) => `${path.replace('apps.http.servers.s.routes[0].handle[0].', '')}: ${message}`);
  }

  const wrong: readonly (readonly [text: string, advice: RegExp])[] = [
    ['{http.request.hots}', /unknown placeholder \{http.request.hots\}; did you mean \{http.request.host\}\?/],
    ['a {http.request.headers.X-Name} b', /did you mean \{http.request.header.X-Name\}/],
    ['{http.reqest.uri}', /did you mean \{http.request.uri\}/],
    ['{host}', /did you mean \{http.request.host\}/],
    ['{remote_host}', /did you mean \{http.request.remote.host\}/],
    ['{http.request.uri.pth}', /unknown placeholder/],
    ['{http.matchers.file.relativ}', /did you mean \{http.matchers.file.relative\}/],
    ['{http.request.tls.client.fingerprints}', /unknown placeholder/],
    ['{"a":"{http.request.hots}"}', /did you mean/],
  ];
  for (const [text, advice] of wrong)
    it(`the lint check unknown-placeholder reports ${text}`, async () =>
      expect((await adviceFor({ text })).join()).to.match(advice));

  const right = [
    'no braces',
    '{http.request.host}',
    '{http.request.header.X-Anything}',
    '{http.request.cookie.session}',
    '{http.request.uri.path.0}',
    '{http.request.remote.host/24,64}',
    '{http.vars.anything}',
    '{http.regexp.name.1}',
    '{http.auth.user.email}',
    '{http.matchers.file.relative}',
    '{http.reverse_proxy.upstream.hostport}',
    '{http.error.status_code}',
    '{env.HOME}',
    '{file./run/secret}',
    '{time.now.unix}',
    '{my_own}',
    '{http.rate_limit.exceeded.name}',
    '\\{http.request.hots}',
    '{"json":1,"host":{"x":2}}',
    'body { color: red }',
    'a{2,3}',
  ];
  for (const text of right)
    it(`the lint check unknown-placeholder accepts ${text}`, async () => expect(await adviceFor({ text })).to.be.empty);

  it('the lint check unknown-placeholder reports the paths of placeholders nested in lists, objects and field names', async () => {
    expect(await adviceFor({ text: { set: { 'X-{host}': ['ok', '{uri}'] } } })).to.deep.equal([
      'text.set["X-{host}"]: unknown placeholder {host}; did you mean {http.request.host}?',
      'text.set["X-{host}"][1]: unknown placeholder {uri}; did you mean {http.request.uri}?',
    ]);
  });

  it('the lint check unknown-placeholder accepts variables defined by map, and ignores regular expressions', async () => {
    expect(await adviceFor({ text: '{path}', destinations: ['{path}'] })).to.be.empty;
    expect(await adviceFor({ path_regexp: 'x{host}' })).to.be.empty;
  });
});
