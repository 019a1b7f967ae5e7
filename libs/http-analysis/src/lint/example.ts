/** Configurations for the documentation of checks that a Caddyfile can't express. */
import type { JsonArray, JsonObject } from '@sluice/base';
import { nativeJson, type LintExample } from '@sluice/registry';

/** Returns a configuration with one server, these routes, and additional options. */
export function serverExample(routes: JsonArray, options: JsonObject = {}): LintExample {
  return nativeJson({ apps: { http: { servers: { web: { listen: [':8080'], ...options, routes } } } } });
}

/** Returns a handler that responds with a text. */
export function says(body: string): JsonObject {
  return { handler: 'static_response', body };
}
