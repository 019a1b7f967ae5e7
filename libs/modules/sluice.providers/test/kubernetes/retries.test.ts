import { expect } from 'chai';
import { retryOptions } from '../../src/kubernetes/gateway/retries.ts';

describe('retries of HTTPRoute rules', () => {
  it('an HTTPRoute rule that does not configure retries retries a failed connection only if another endpoint exists', () => {
    expect(retryOptions({}, 1)).to.deep.equal({});
    expect(retryOptions({}, 3)).to.deep.equal({ retries: 2 });
  });

  it('an HTTPRoute rule that configures retries repeats requests for the given status codes, even with one endpoint', () => {
    expect(retryOptions({ retry: { codes: [500, 503], attempts: 3, backoff: '100ms' } }, 1)).to.deep.equal({
      retries: 3,
      try_interval: '100ms',
      retry_match: [
        { expression: '{http.reverse_proxy.status_code} in [500, 503]' },
        { method: ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'] },
      ],
    });
  });

  it('an HTTPRoute rule with zero attempts disables retries', () => {
    expect(retryOptions({ retry: { codes: [500], attempts: 0 } }, 3)).to.deep.equal({});
  });
});
