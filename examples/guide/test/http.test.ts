/** Tests without sockets. Each test passes a configuration and a request, and checks the response. */
import { expect } from 'chai';
import { register } from '@sluice/module-guide';
import { httpMatchers } from '@sluice/module';
import { makeExchange, provisionNamed, request, serve, withRoutes } from '@sluice/testing';

const standard = { register: [register], standard: true };

describe('http.handlers.stamp', () => {
  it('stamp adds its header field to the response of the next handler', async () => {
    const stamp = { handler: 'stamp', field: 'X-Way', value: '{http.request.uri.path}' };
    const config = withRoutes([{ handle: [stamp, { handler: 'static_response', body: 'here' }] }]);
    const response = await request(config, '/a', standard);
    expect(response).to.include({ status: 200, text: 'here' });
    expect(response.headers.get('x-way')).to.equal('/a');
  });
});

describe('http.matchers.cookie', () => {
  const matches = async (cookie: string): Promise<unknown> => {
    const { instance, close } = await provisionNamed(
      httpMatchers,
      'cookie',
      { name: 'beta' },
      { register: [register] },
    );
    await close();
    return instance.match(makeExchange({ headers: { cookie } }));
  };

  it('the cookie matcher finds cookies at any position in the header', async () => {
    expect(await matches('beta=1')).to.equal(true);
    expect(await matches('a=2; beta=1')).to.equal(true);
  });

  it("the cookie matcher doesn't match other cookies", async () => {
    expect(await matches('alphabeta=1')).to.equal(false);
    expect(await matches('')).to.equal(false);
  });

  it('the cookie matcher reports a missing cookie name along with its configuration path', async () => {
    const error = await request(withRoutes([{ match: [{ cookie: {} }] }]), '/', standard).catch(String);
    expect(error).to.include('routes[0].match[0].cookie.name').and.include('the cookie name is missing');
  });
});

describe('http.handlers.count_visits', () => {
  it('count_visits keeps its count when the route changes', async () => {
    const route = (path: string) => ({ match: [{ path: [path] }], handle: [{ handler: 'count_visits' }] });
    const server = await serve(withRoutes([route('/a')]), standard);
    expect((await server.request('/a')).text).to.equal('You are visitor 1.\n');
    await server.reconciler.load(withRoutes([route('/b')]));
    expect((await server.request('/b')).text).to.equal('You are visitor 2.\n');
    await server.close();
  });
});
