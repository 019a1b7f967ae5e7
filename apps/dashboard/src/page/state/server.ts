/** Version, routes and configuration schema of the server. */
import { computed, signal } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls, type Route } from '../api/calls.ts';
import type { JsonObject } from '../base/json.ts';

interface Description {
  readonly info?: { readonly version?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Response to `GET /openapi.json`; `null` until it is read, or if the token cannot read it. */
const description = signal<Description | null>(null);

export const version = computed(() => description.value?.info?.version ?? '');

/** Reads the server's description. If that is not possible, the page assumes that all routes exist. */
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

/** Returns the template without the names of parameters. */
function shapeOf(template: string): string {
  return template.replaceAll(/\{\w+\}/g, '{}');
}

let schema: Promise<JsonObject> | null = null;

/** Returns the configuration schema, reading it once. */
export function readSchema(): Promise<JsonObject> {
  schema ??= ask(calls.schema()).then(({ json }) => json as JsonObject);
  schema.catch(() => {
    schema = null;
  });
  return schema;
}
