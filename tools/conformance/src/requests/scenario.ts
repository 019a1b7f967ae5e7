/** Scenarios: parts of the HTTP app, as routes with various options and matching requests. */
import type { Random } from '../differential/random.ts';
import type { Request } from './request.ts';

/** A part of the HTTP app to compare. */
export interface Scenario {
  readonly name: string;
  /** Generates the handlers of the routes. `folder` has the files of `files.ts`. */
  routes(random: Random, folder: string): readonly (readonly object[])[];
  /** Generates a request, to which its route is added later. */
  request(random: Random): Request;
  /** Number of routes. 24 by default. */
  readonly variants?: number;
}

/** Field that selects the route of a request, so that paths and hosts remain free for the comparison. */
export const routeField = 'X-Route';

/** Returns the configuration of a scenario: one route per variant, with an echo of all fields that handlers may have changed. */
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
