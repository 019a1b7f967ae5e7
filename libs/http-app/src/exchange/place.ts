/** Where in the configuration a handler stands, for what is said of its failures. */

/** A handler at its place; made when the route is provisioned. */
export interface HandlerPlace {
  /** Id, such as `http.handlers.static_response`. */
  readonly module: string;
  /** The route, as it was numbered when it was provisioned: `apps.http.servers.s.routes[3]`. */
  readonly route: string;
}

/** An exception, and where it was thrown. */
export interface Blame {
  readonly error: unknown;
  readonly place: HandlerPlace;
}

/** The place of handlers that belong to no configuration, such as those of tests. */
export const nowhere: HandlerPlace = { module: '', route: '' };
