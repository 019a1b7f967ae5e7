import { get } from 'node:http';
import { expect } from 'chai';
import { wafEngine } from '@sluice/testing';
import { violationsIn } from './support/accessible.ts';
import { testInBrowser } from './support/suite.ts';

const engine = wafEngine();
const directives = `
SecRuleEngine On
SecRule ARGS:evil "@streq yes" "id:1001,phase:1,deny,status:403"
`;

describe('dashboard view of web application firewalls', function () {
  this.timeout(60_000);
  before(function () {
    if (engine === null) this.skip();
  });
  let httpPort = 0;
  const suite = testInBrowser({
    page: {},
    document: async (port) => {
      httpPort = port;
      const handle = [
        ...(engine === null ? [] : [{ handler: 'waf', engine, directives }]),
        { handler: 'static_response', body: 'ok' },
      ];
      const server = { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes: [{ handle }] };
      return { admin: { listen: '127.0.0.1:0' }, apps: { http: { servers: { demo: server } } } };
    },
  });

  function send(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      get({ port: httpPort, host: '127.0.0.1', path }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
  }

  it('the firewall tab shows the engine, its counters, and the rules that blocked requests', async () => {
    const { page } = suite;
    const statuses = [];
    for (const path of ['/', '/?evil=no', '/?evil=yes', '/?evil=yes']) statuses.push(await send(path));
    expect(statuses).to.deep.equal([200, 200, 403, 403]);
    await suite.show('traffic?tab=firewall');
    const row = page.getByRole('row').filter({ hasText: 'directives' });
    await row.getByText('running, process').waitFor();
    const numbers = await row.locator('td.number').allInnerTexts();
    expect(numbers.slice(0, 5)).to.deep.equal(['2', '2', '0', '0', '0']);
    expect(numbers[5]).to.match(/^≤ [\d.]+ ms$/);
    const rule = page.getByRole('row').filter({ hasText: '1001' });
    await rule.getByText('Request header').waitFor();
    expect(await rule.locator('td.number').innerText()).to.equal('2');
    expect(await violationsIn(page)).to.deep.equal([]);
  });
});
