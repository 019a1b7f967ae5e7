import { isAcmeProblem, type ClientRequest, type ClientResponse, type Solver } from '@sluice/acme';
import { expect } from 'chai';
import { base, bench, issue } from './support.ts';

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return isAcmeProblem(error) ? error.type : (error as Error).message;
  }
}

/** Modifies the first responses that satisfy a condition. */
function spoil(
  times: number,
  matches: (request: ClientRequest) => boolean,
  change: (response: ClientResponse) => Partial<ClientResponse>,
): (request: ClientRequest, response: ClientResponse) => ClientResponse {
  let left = times;
  return (request, response) => (matches(request) && left-- > 0 ? { ...response, ...change(response) } : response);
}

const isOrder = ({ url }: ClientRequest): boolean => url === `${base}/new-order`;

describe('ACME client', () => {
  it('the ACME client uses the nonce of each response for the next request', async () => {
    const all = await bench();
    await issue(all);
    expect(all.traffic.filter(({ request }) => request.method === 'HEAD')).to.have.length(1);
  });

  it('the ACME client retries a request with the new nonce if its nonce is rejected', async () => {
    const all = await bench({
      intercept: spoil(3, isOrder, () => ({
        status: 400,
        body: '{"type":"urn:ietf:params:acme:error:badNonce"}',
      })),
    });
    expect(await issue(all)).to.contain('BEGIN CERTIFICATE');
  });

  it('the ACME client retries only requests with transient failures', async () => {
    const busy = await bench({
      intercept: spoil(1, isOrder, () => ({ status: 503, headers: { 'retry-after': '0' } })),
    });
    expect(await issue(busy)).to.contain('BEGIN CERTIFICATE');
    const limited = (response: ClientResponse): Partial<ClientResponse> => ({
      status: 429,
      headers: { ...response.headers, 'retry-after': '3600' },
      body: '{"type":"urn:ietf:params:acme:error:rateLimited","detail":"tomorrow"}',
    });
    const all = await bench({ intercept: spoil(1, isOrder, limited) });
    expect(await failure(issue(all))).to.equal('rateLimited');
    expect(all.traffic.filter(({ request }) => isOrder(request))).to.have.length(1);
  });

  it('the ACME client creates a new order to try the next challenge type, and cleans up', async () => {
    const all = await bench();
    let up = 0;
    const wrong: Solver = () => {
      up++;
      return Promise.resolve(() => Promise.resolve(void up--));
    };
    const failed: string[] = [];
    const chain = await issue(all, {
      solvers: new Map([
        ['tls-alpn-01', wrong],
        ['http-01', all.network.solver('http-01')],
      ]),
      onFallback: (type) => failed.push(type),
    });
    expect(chain).to.contain('BEGIN CERTIFICATE');
    expect(failed).to.deep.equal(['tls-alpn-01']);
    expect(up).to.equal(0);
    expect(await failure(issue(all, { solvers: new Map([['dns-01', wrong]]) }))).to.equal('incorrectResponse');
    expect(up).to.equal(0);
  });

  it('the ACME client stops and cleans up when aborted', async () => {
    const all = await bench();
    const stop = new AbortController();
    let up = 0;
    const solver: Solver = () => {
      up++;
      all.network.gate = new Promise(() => {});
      stop.abort(new Error('no longer managed'));
      return Promise.resolve(() => Promise.resolve(void up--));
    };
    expect(await failure(issue(all, { solvers: new Map([['http-01', solver]]) }, stop.signal))).to.not.equal(
      'no failure',
    );
    expect(up).to.equal(0);
  });

  it('the ACME client reports a missing challenge type or profile', async () => {
    const all = await bench({ challenges: ['dns-01'] });
    expect(await failure(issue(all))).to.match(/offers dns-01 for a\.example\.com/);
    const directory = (): Partial<ClientResponse> => ({
      body: JSON.stringify({
        newNonce: `${base}/new-nonce`,
        newAccount: `${base}/new-account`,
        newOrder: `${base}/new-order`,
        meta: { profiles: { classic: 'as ever' } },
      }),
    });
    const other = await bench({ intercept: spoil(1, ({ url }) => url === `${base}/directory`, directory) });
    expect(await failure(issue(other, { profile: 'short' }))).to.equal(
      'the CA does not support the profile "short"; supported: classic',
    );
  });
});
