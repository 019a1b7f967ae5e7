/**
 * Requests and responses of an ACME server, independent of any HTTP implementation. The objects are plain data, so threads can exchange
 * them.
 */
import type { ProblemDocument } from '../protocol/problem.ts';

export interface ServerRequest {
  readonly method: string;
  /** URL prefix of the ACME server, without a trailing slash. Example: `https://ca.example/acme/local`. */
  readonly base: string;
  /** Path after the URL prefix, such as `/new-order`. */
  readonly path: string;
  /** Value of the `Content-Type` header. `null` if the header is missing. */
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export interface ServerResponse {
  readonly status: number;
  /** Response headers with lowercase names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Response headers. */
export type Fields = readonly (readonly [name: string, value: string])[];

export function emptyResponse(status: number, headers: Fields = []): ServerResponse {
  return { status, headers, body: '' };
}

export function jsonResponse(status: number, body: object, headers: Fields = []): ServerResponse {
  return { status, headers: [['content-type', 'application/json'], ...headers], body: JSON.stringify(body) };
}

/** Creates a response that contains a problem document. */
export function problemResponse(status: number, document: ProblemDocument): ServerResponse {
  return { status, headers: [['content-type', 'application/problem+json']], body: JSON.stringify(document) };
}

/** Formats a time as RFC 3339, with a precision of one second. */
export function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
