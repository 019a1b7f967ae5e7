/**
 * Test scenarios. Each scenario covers a part of the HTTP app. It consists of routes with various options, and of requests for these
 * routes.
 */
import type { Random } from '../differential/random.ts';
import type { Request } from './request.ts';

/** A scenario that tests one part of the HTTP app. */
export interface Scenario {
  readonly name: string;
  /** Generates the handlers of the routes. `folder` contains the files created by `files.ts`. */
  routes(random: Random, folder: string): readonly (readonly object[])[];
  /** Generates a request. The route is added to the request later. */
  request(random: Random): Request;
  /** Number of generated routes. Default: 24. */
  readonly variants?: number;
}

/** Header field that selects the route of a request. Paths and hosts remain available for the comparison. */
export const routeField = 'X-Route';

/**
 * Returns the configuration of a scenario, with one route per variant. Each route ends with a handler that returns all fields that previous
 * handlers may have changed.
 */
export function configOf(variants: readonly (readonly object[])[], port: number): object {
  const routes = variants.map((handle, index) => ({
    match: [{ header: { [routeField]: [String(index)] } }],
    handle,
    terminal: true,
  }));
  const server = {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    routes,
    errors: {
      routes: [{ handle: [{ handler: 'static_response', body: 'error {http.error.status_code}' }] }],
    },
  };
  return { apps: { http: { servers: { s: server } } } };
}
