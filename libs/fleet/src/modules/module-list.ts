/** Which modules a member has, told once for all members that have the same. */
import { createHash } from 'node:crypto';
import { isObject, type Json } from '@sluice/base';
import type { ModuleLookup } from '@sluice/registry';

/** Versions by id; an empty one where it is not known. */
export type ModuleList = ReadonlyMap<string, string>;

/** The key of the store that has a list. */
export function listKey(hash: string): string {
  return `modules/${hash}`;
}

/** The modules of a registry. */
export function modulesOf(registry: Pick<ListingRegistry, 'list' | 'originOf'>): ModuleList {
  return new Map(registry.list().map(({ id }) => [id, registry.originOf(id).version ?? '']));
}

/** What stands for a list. */
export function hashOfModules(modules: ModuleList): string {
  return createHash('sha256').update(encodeModules(modules)).digest('base64url').slice(0, 16);
}

/** As stores keep it. */
export function encodeModules(modules: ModuleList): string {
  return JSON.stringify(Object.fromEntries(modules));
}

/** Reads {@link encodeModules}. */
export function decodeModules(text: string): ModuleList {
  const value = JSON.parse(text) as Json;
  return new Map(isObject(value) ? Object.entries(value).map(([id, version]) => [id, String(version)]) : []);
}

/** The part of a registry that lists. */
interface ListingRegistry extends ModuleLookup {
  list(): readonly { readonly id: string }[];
  originOf(id: string): { readonly version: string | null };
}
