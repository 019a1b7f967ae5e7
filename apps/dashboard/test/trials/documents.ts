/** Configurations for trials. */
import type { Json } from '@sluice/base';

/** Returns the configuration of a server with many routes. Half of the routes proxy to 50 upstreams. */
export function manyRoutes(count: number, port: number): Json {
  const routes = Array.from({ length: count }, (_, index) => ({
    '@id': `site-${index}`,
    match: [{ host: [`site-${index}.example.com`] }],
    handle: index % 2 === 0 ? [respond(index)] : [{ handler: 'subroute', routes: [{ handle: proxied(index) }] }],
    terminal: true,
  }));
  return {
    logging: { logs: { default: { writer: { output: 'discard' } } } },
    apps: {
      http: {
        servers: { demo: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes } },
      },
    },
  };
}

/** Returns the configuration path of a route's response text. The route number must be even. */
export function textOf(route: number): string {
  return `/config/apps/http/servers/demo/routes/${route}/handle/0/body`;
}

function respond(index: number): Json {
  return { handler: 'static_response', body: `site ${index}` };
}

function proxied(index: number): Json {
  return [
    { handler: 'headers', response: { set: { 'X-Site': [String(index)] } } },
    { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${9000 + (((index - 1) / 2) % 50)}` }] },
  ];
}
