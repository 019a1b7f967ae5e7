/** Descriptions of admin API routes for `GET /openapi.json`. Loaded on first request. */
import type { JsonObject } from '@sluice/base';

export interface AdminOperationResponse {
  readonly description: string;
  /** JSON Schemas of the body by media type. Absent if there is no body. */
  readonly content?: Readonly<Record<string, JsonObject>>;
}

/** A method of a path. Error responses are added to every operation automatically. */
export interface AdminOperation {
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of the path parameters, by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** JSON Schemas with descriptions: query parameters by name, and header fields. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  readonly headers?: Readonly<Record<string, JsonObject>>;
  /** JSON Schemas of the body by media type. */
  readonly body?: Readonly<Record<string, JsonObject>>;
  /** True if the request body is optional. */
  readonly bodyIsOptional?: boolean;
  /** Responses by status. */
  readonly responses: Readonly<Record<string, AdminOperationResponse>>;
}

/** Operations by method and path in router syntax: `GET /pki/ca/:id`. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;
