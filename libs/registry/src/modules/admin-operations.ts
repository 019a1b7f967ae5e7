/** Descriptions of admin API endpoints for `GET /openapi.json`. They are loaded on the first request. */
import type { JsonObject } from '@sluice/base';

export interface AdminOperationResponse {
  readonly description: string;
  /** JSON Schemas of the response body, by media type. Absent if there is no body. */
  readonly content?: Readonly<Record<string, JsonObject>>;
}

/** A method of an admin API path. Every operation automatically gets error responses. */
export interface AdminOperation {
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of the path parameters, by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** JSON Schemas with descriptions of query parameters and header fields, by name. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  readonly headers?: Readonly<Record<string, JsonObject>>;
  /** JSON Schemas of the request body, by media type. */
  readonly body?: Readonly<Record<string, JsonObject>>;
  /** True if the request body is optional. */
  readonly bodyIsOptional?: boolean;
  /** Responses by status. */
  readonly responses: Readonly<Record<string, AdminOperationResponse>>;
}

/** Operations by method and path, in router syntax: `GET /pki/ca/:id`. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;
