import { expect } from 'chai';
import { chromium } from 'playwright-core';
import { register } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { commandOf, freePort, serve, withRoutes } from '@sluice/testing';
import { clientId, clientSecret, startProvider } from './real-provider.ts';

const executablePath = commandOf('chromium') ?? commandOf('google-chrome');

describe('http.authentication.providers.oidc in Chromium', function () {
  before(function () {
    if (executablePath === null) this.skip();
  });

  it('oidc signs a Chromium user in and out, and returns 401 to fetch requests without a session', async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const provider = await startProvider({
      redirectUris: [`${origin}/oauth2/callback`],
      signedOutUris: [`${origin}/`],
    });
    const oidc = {
      issuer: provider.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      cookie_secrets: ['0123456789abcdef0123456789abcdef'],
    };
    const handle = [
      { handler: 'authentication', providers: { oidc } },
      { handler: 'static_response', headers: { 'Content-Type': ['text/html'] }, body: 'hello {http.auth.user.email}' },
    ];
    const server = await serve(withRoutes([{ handle }], { listen: [`127.0.0.1:${port}`] }), {
      register: [register, handlers],
    });
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${origin}/private?a=1#part`);
      expect(new URL(page.url()).origin).to.equal(provider.issuer);
      await page.fill('input[name=login]', 'ada');
      await page.fill('input[name=password]', 'x');
      await page.click('button[type=submit]');
      await page.waitForURL(`${origin}/private?a=1**`);
      expect(await page.textContent('body')).to.equal('hello ada@example.com');
      const fetchStatus = (): Promise<number> => page.evaluate(async () => (await fetch('/data')).status);
      expect(await fetchStatus()).to.equal(200);
      expect(await page.evaluate('document.cookie')).to.equal('');
      await context.clearCookies({ name: 'sluice_session' });
      expect(await fetchStatus()).to.equal(401);
      await page.goto(`${origin}/private`);
      expect(await page.textContent('body')).to.equal('hello ada@example.com');
      await page.goto(`${origin}/oauth2/sign_out`);
      expect(new URL(page.url()).origin).to.equal(provider.issuer);
      const names = (await context.cookies(origin)).map(({ name }) => name);
      expect(names.filter((name) => name.startsWith('sluice_session'))).to.deep.equal([]);
    } finally {
      await browser.close();
      await server.close();
      await provider.close();
    }
  });
});
