/** What the server is and can: its routes, and the schema of its configuration. */
import { computed, signal } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls, type Route } from '../api/calls.ts';
import type { JsonObject } from '../base/json.ts';

interface Description {
  readonly info?: { readonly version?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What `GET /openapi.json` says; `null` until it is there, or where it may not be read. */
const description = signal<Description | null>(null);

/** Version of the server. */
export const version = computed(() => description.value?.info?.version ?? '');

/** Reads it. Without the right to, every route counts as there. */
export async function describeServer(): Promise<void> {
  try {
    description.value = (await ask(calls.describe({}, { query: { detail: false } }))).json as Description;
  } catch {
    description.value = null;
  }
}

/** Whether the server has a route. */
export function has({ method, template }: Route): boolean {
  const paths = description.value?.paths;
  if (paths === undefined) return true;
  const item = Object.entries(paths).find(([path]) => shapeOf(path) === shapeOf(template))?.[1];
  return item?.[method.toLowerCase()] !== undefined;
}

/** Names of parameters do not count. */
function shapeOf(template: string): string {
  return template.replaceAll(/\{\w+\}/g, '{}');
}

let schema: Promise<JsonObject> | null = null;

/** The schema of the configuration, which is read once. */
export function readSchema(): Promise<JsonObject> {
  schema ??= ask(calls.schema()).then(({ json }) => json as JsonObject);
  schema.catch(() => {
    schema = null;
  });
  return schema;
}
