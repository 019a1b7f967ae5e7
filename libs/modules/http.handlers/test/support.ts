import { request, withRoutes, type TestRequest, type TestResponse } from '@sluice/testing';
import type { JsonObject } from '@sluice/base';
import { register } from '@sluice/http.handlers';

export function through(
  handlers: readonly JsonObject[],
  what: TestRequest | string = '/',
  server: JsonObject = {},
): Promise<TestResponse> {
  return request(withRoutes([{ handle: handlers }], server), what, { register: [register] });
}

/** Returns a handler that responds with a text. Tests use it to display placeholder values. */
export function show(text: string): JsonObject {
  return { handler: 'static_response', body: text };
}

/** Returns the names and values of the sent header fields, one per line. */
export function lines(response: TestResponse): string[] {
  return [...response.headers].map(([name, value]) => `${name}: ${value}`);
}
