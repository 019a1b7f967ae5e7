/** Scenarios: a part of the HTTP app, as routes that differ in their options and requests that fit them. */
import type { Random } from '../differential/random.ts';
import type { Request } from './request.ts';

/** A part of the HTTP app to compare. */
export interface Scenario {
  readonly name: string;
  /** Handlers of the routes that requests choose from, made from chance. `folder` has the files of `files.ts`. */
  routes(random: Random, folder: string): readonly (readonly object[])[];
  /** A request. Which route it goes to is added to it. */
  request(random: Random): Request;
  /** How many routes are made. Default 24. */
  readonly variants?: number;
}

/** The field that tells the route of a request; paths and hosts are left to what is compared. */
export const routeField = 'X-Route';

/** The configuration of a scenario: one route per variant, and all fields echoed that handlers may have changed. */
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
