/** Example configurations for the documentation of checks. They are used for examples that a Caddyfile cannot represent. */
import type { JsonArray, JsonObject } from '@sluice/base';
import { nativeJson, type LintExample } from '@sluice/registry';

export function serverExample(routes: JsonArray, options: JsonObject = {}): LintExample {
  return nativeJson({ apps: { http: { servers: { web: { listen: [':8080'], ...options, routes } } } } });
}

export function says(body: string): JsonObject {
  return { handler: 'static_response', body };
}
