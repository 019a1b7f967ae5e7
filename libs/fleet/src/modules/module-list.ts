/** Module lists. All members with the same modules share one published list. */
import { createHash } from 'node:crypto';
import { isObject, type Json } from '@sluice/base';
import type { ModuleLookup } from '@sluice/registry';

/** Module versions, keyed by module ID. A version is empty if unknown. */
export type ModuleList = ReadonlyMap<string, string>;

export function listKey(hash: string): string {
  return `modules/${hash}`;
}

export function modulesOf(registry: Pick<ListingRegistry, 'list' | 'originOf'>): ModuleList {
  return new Map(registry.list().map(({ id }) => [id, registry.originOf(id).version ?? '']));
}

export function hashOfModules(modules: ModuleList): string {
  return createHash('sha256').update(encodeModules(modules)).digest('base64url').slice(0, 16);
}

export function encodeModules(modules: ModuleList): string {
  return JSON.stringify(Object.fromEntries(modules));
}

/** Parses the output of {@link encodeModules}. */
export function decodeModules(text: string): ModuleList {
  const value = JSON.parse(text) as Json;
  return new Map(isObject(value) ? Object.entries(value).map(([id, version]) => [id, String(version)]) : []);
}

interface ListingRegistry extends ModuleLookup {
  list(): readonly { readonly id: string }[];
  originOf(id: string): { readonly version: string | null };
}
