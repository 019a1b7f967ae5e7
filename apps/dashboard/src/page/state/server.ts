/** The server's version, routes and configuration schema. */
import { computed, signal } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls, type Route } from '../api/calls.ts';
import type { JsonObject } from '../base/json.ts';

interface Description {
  readonly info?: { readonly version?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Response of `GET /openapi.json`. `null` until it has been read, or if the token cannot read it. */
const description = signal<Description | null>(null);

export const version = computed(() => description.value?.info?.version ?? '');

/** Reads the server's API description. If reading fails, the page assumes that all routes exist. */
export async function describeServer(): Promise<void> {
  try {
    description.value = (await ask(calls.describe({}, { query: { detail: false } }))).json as Description;
  } catch {
    description.value = null;
  }
}

export function has({ method, template }: Route): boolean {
  const paths = description.value?.paths;
  if (paths === undefined) return true;
  const item = Object.entries(paths).find(([path]) => shapeOf(path) === shapeOf(template))?.[1];
  return item?.[method.toLowerCase()] !== undefined;
}

/** Returns a path template without its parameter names, for comparisons. */
function shapeOf(template: string): string {
  return template.replaceAll(/\{\w+\}/g, '{}');
}

let schema: Promise<JsonObject> | null = null;

/** Returns the configuration schema. The schema is read only once. */
export function readSchema(): Promise<JsonObject> {
  schema ??= ask(calls.schema()).then(({ json }) => json as JsonObject);
  schema.catch(() => {
    schema = null;
  });
  return schema;
}
