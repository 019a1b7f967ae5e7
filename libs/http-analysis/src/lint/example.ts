/** Configurations of the pages of checks, where a Caddyfile cannot say it. */
import type { JsonArray, JsonObject } from '@sluice/base';
import { nativeJson, type LintExample } from '@sluice/registry';

/** One server with these routes, and further options. */
export function serverExample(routes: JsonArray, options: JsonObject = {}): LintExample {
  return nativeJson({ apps: { http: { servers: { web: { listen: [':8080'], ...options, routes } } } } });
}

/** A handler that responds with a text. */
export function says(body: string): JsonObject {
  return { handler: 'static_response', body };
}
