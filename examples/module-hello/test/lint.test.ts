import { expect } from 'chai';
import { register } from '@sluice/module-hello';
import { lintFindings } from '@sluice/testing';
import { emptyGreeting } from '../src/lint/empty-greeting.ts';

describe('sluice lint with the package', () => {
  const find = async (text: string): Promise<readonly (readonly [code: string, path: string])[]> =>
    (await lintFindings(JSON.parse(text), [register])).map(({ code = '', path }) => [code, path] as const);

  it('the lint check of the package reports a greeting with an empty name, and accepts one with a name', async () => {
    expect(await find(emptyGreeting.bad.text)).to.deep.equal([
      ['HELLO001', 'apps.http.servers.web.routes[0].handle[0].name'],
    ]);
    expect(await find(emptyGreeting.good.text)).to.deep.equal([]);
  });

  it('the lint check of the package reports routes after a greeting as unreachable', async () => {
    const routes = [{ handle: [{ handler: 'hello' }] }, { handle: [{ handler: 'static_response', body: 'late' }] }];
    const text = JSON.stringify({ apps: { http: { servers: { web: { listen: [':8080'], routes } } } } });
    expect(await find(text)).to.deep.equal([['SL001', 'apps.http.servers.web.routes[1]']]);
  });
});
