import { expect } from 'chai';
import { loadExplain, type Explanation, type ExplainRequest } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { register } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { serve, withRoutes } from '@sluice/testing';

describe('explain of http.authentication.providers.oidc', () => {
  /** Explains a request. No provider exists at the configured address. */
  async function explained(request: ExplainRequest): Promise<Explanation> {
    const oidc = {
      issuer: 'https://id.invalid',
      client_id: 'app',
      cookie_secrets: ['0123456789abcdef0123456789abcdef'],
    };
    const handle = [
      { handler: 'authentication', providers: { oidc } },
      { handler: 'static_response', body: 'private' },
    ];
    const server = await serve(withRoutes([{ handle }]), { register: [register, handlers] });
    try {
      const { Explainer } = await loadExplain();
      const explainer = new Explainer();
      const app = server.runtime.app(httpApp);
      if (app === null) throw new Error('no http app');
      const { document, registry, sources } = server.reconciler;
      const explanation = await explainer.explain(request, { app, document, registry, sources }, 5000);
      explainer.close();
      return explanation;
    } finally {
      await server.close();
    }
  }

  it('explain shows the redirect to the OIDC provider for a browser without a session, but does not contact the provider', async () => {
    const { outcome } = await explained({ url: 'http://a.example/', headers: { Accept: 'text/html' } });
    expect(outcome).to.include({ kind: 'outward', handler_id: 'http.handlers.authentication' });
  });

  it('explain shows that clients other than browsers get a 401 if they have no OIDC session', async () => {
    const { outcome } = await explained({ url: 'http://a.example/', headers: { Accept: '*/*' } });
    expect(outcome).to.include({ kind: 'error', status: 401 });
  });

  it('explain shows both outcomes for a request with an OIDC session cookie', async () => {
    const { paths } = await explained({
      url: 'http://a.example/',
      headers: { Accept: 'text/html', Cookie: 'sluice_session=x' },
    });
    expect(paths.map(({ outcome }) => outcome.kind).sort()).to.deep.equal(['outward', 'response']);
  });

  it('explain shows that the authentication handler processes the OIDC callback', async () => {
    const { outcome } = await explained({ url: 'http://a.example/oauth2/callback?code=x' });
    expect(outcome).to.include({ kind: 'outward', handler_id: 'http.handlers.authentication' });
  });
});
