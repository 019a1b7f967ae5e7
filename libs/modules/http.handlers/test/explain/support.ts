/** Explains requests for test configurations, and serves the same configurations for comparison. */
import { loadExplain, type Explanation, type ExplainRequest } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerPolicies } from '@sluice/http.reverse_proxy';
import type { Json } from '@sluice/base';
import type { Register, Token } from '@sluice/registry';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { register } from '@sluice/http.handlers';

export interface Explained {
  readonly server: TestServer;
  explain(request: ExplainRequest | string): Promise<Explanation>;
  close(): Promise<void>;
}

export async function explained(
  config: Json,
  more: readonly Register[] = [],
  services: ReadonlyMap<Token<unknown>, unknown> = new Map(),
): Promise<Explained> {
  const server = await serve(config, { register: [register, registerMatchers, registerPolicies, ...more], services });
  const { Explainer } = await loadExplain();
  const explainer = new Explainer();
  return {
    server,
    explain: (request) => {
      const app = server.runtime.app(httpApp);
      if (app === null) throw new Error('the configuration has no http app');
      const { document, registry, sources } = server.reconciler;
      return explainer.explain(
        typeof request === 'string' ? { url: request } : request,
        { app, document, registry, sources },
        5000,
      );
    },
    close: async () => {
      explainer.close();
      await server.close();
    },
  };
}

/** Explains one request to a server that has the given routes. */
export async function explainRoutes(
  routes: Json,
  request: ExplainRequest | string,
  server: Readonly<Record<string, Json>> = {},
): Promise<Explanation> {
  const config = await explained(withRoutes(routes, server));
  try {
    return await config.explain(request);
  } finally {
    await config.close();
  }
}
