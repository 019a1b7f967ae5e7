import { request, withRoutes, type TestRequest, type TestResponse } from '@sluice/testing';
import type { JsonObject } from '@sluice/base';
import { register } from '@sluice/http.handlers';

/** Sends one request through a chain of handlers. */
export function through(
  handlers: readonly JsonObject[],
  what: TestRequest | string = '/',
  server: JsonObject = {},
): Promise<TestResponse> {
  return request(withRoutes([{ handle: handlers }], server), what, { register: [register] });
}

/** Responds with the text, so that placeholders in it can be seen. */
export function show(text: string): JsonObject {
  return { handler: 'static_response', body: text };
}

/** Names and values of the fields that were sent, a line each. */
export function lines(response: TestResponse): string[] {
  return [...response.headers].map(([name, value]) => `${name}: ${value}`);
}
