/** Serves an nginx configuration in the test process. */
import { register as registerAdapters } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/reconciler';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { Registry } from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';

const adapters = new Registry().use(registerAdapters);

/** Adapts and serves a `server` block with the given content. */
export async function serveNginx(content: string): Promise<TestServer> {
  const text = `http { server { listen 127.0.0.1:80; ${content} } }`;
  const { config } = await adaptConfig(adapters, 'nginx', text);
  return serve(config, { register: [registerHandlers, registerMatchers] });
}
