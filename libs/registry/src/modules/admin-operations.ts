/** What routes of the admin API are for, as `GET /openapi.json` tells it. Loaded when that is first asked for. */
import type { JsonObject } from '@sluice/base';

/** A response that a route has. */
export interface AdminOperationResponse {
  readonly description: string;
  /** JSON Schemas of its body by media type; none: it has no body. */
  readonly content?: Readonly<Record<string, JsonObject>>;
}

/** A method of a path. Errors need not be told: each operation has them. */
export interface AdminOperation {
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  /** What the parameters of the path are, by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** JSON Schemas, each with its description, of the parameters of the query, and of header fields. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  readonly headers?: Readonly<Record<string, JsonObject>>;
  /** JSON Schemas of the body by media type. */
  readonly body?: Readonly<Record<string, JsonObject>>;
  /** Whether a request may have no body. */
  readonly bodyIsOptional?: boolean;
  /** By status. */
  readonly responses: Readonly<Record<string, AdminOperationResponse>>;
}

/** By method and path, as the router has them: `GET /pki/ca/:id`. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;
