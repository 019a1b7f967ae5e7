/** Sends requests to a server with one matcher set. Used for tables of patterns and requests. */
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register as registerSources } from '@sluice/http.ip_sources';
import { register } from '@sluice/http.matchers';
import { serve, withRoutes, type TestRequest, type TestServer } from '@sluice/testing';

/** Configuration that surrounds the matcher set. */
export interface Around {
  /** Response body if the matcher set matches. Default: `yes`. */
  readonly body?: string;
  /** Handlers that run before the matcher set is evaluated. */
  readonly before?: Json[];
  /** Additional options of the server. */
  readonly server?: Readonly<Record<string, Json>>;
}

/** Serves a route with the given matcher set, followed by a route that responds with `no`. */
export function serveSet(set: Json, { body = 'yes', before = [], server = {} }: Around = {}): Promise<TestServer> {
  const routes: Json = [
    { handle: before },
    { match: [set], handle: [{ handler: 'static_response', body }] },
    { handle: [{ handler: 'static_response', body: 'no' }] },
  ];
  return serve(withRoutes(routes, server), { register: [registerHandlers, registerSources, register] });
}

/** Checks the response to each request. An expected string is the body, and an expected number is the status. */
export async function expectResponses(
  set: Json,
  responses: readonly (readonly [request: TestRequest | string, received: string | number])[],
  around: Around = {},
): Promise<void> {
  const server = await serveSet(set, around);
  try {
    for (const [request, received] of responses) {
      const response = await server.request(request);
      expect(typeof received === 'number' ? response.status : response.text, JSON.stringify([set, request])).to.equal(
        received,
      );
    }
  } finally {
    await server.close();
  }
}

/** Checks that the given requests match and that others do not. */
export async function expectMatches(
  set: Json,
  yes: readonly (TestRequest | string)[],
  no: readonly (TestRequest | string)[],
  around: Around = {},
): Promise<void> {
  await expectResponses(
    set,
    [
      ...yes.map((request) => [request, around.body ?? 'yes'] as const),
      ...no.map((request) => [request, 'no'] as const),
    ],
    around,
  );
}

/** Returns the error message for a matcher set that is rejected. Fails if the set is accepted. */
export async function refusal(set: Json): Promise<string> {
  const server = await serveSet(set).catch((error: unknown) => error as Error);
  if (server instanceof Error) return server.message;
  await server.close();
  throw new Error(`${JSON.stringify(set)} was accepted`);
}

export const to = (host: string): TestRequest => ({ host });
/** Returns a request with the given header fields. */
export const having = (headers: Readonly<Record<string, string | readonly string[]>>): TestRequest => ({ headers });
