/** Units of the configuration, which are translated separately. A unit is an Ingress, a host, or the common part of both servers. */
import { listAt, objectAt, type JsonObject, type Logger } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { Annotations } from './annotations/reader.ts';
import { unavailable } from './backends.ts';
import { translateHost } from './host.ts';
import type { Ingress, IngressView } from './objects.ts';
import { baseFragment } from './servers.ts';
import type { IngressSettings } from './settings.ts';
import { translateIngress } from './translate.ts';

export interface Unit {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly dependsOn: ReadonlySet<string>;
  /** Warnings by Ingress. */
  readonly warnings: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns a unit in which rejected fragments respond with 503, or `null` if there are no new rejections. Without these fragments, requests
 * could match other paths with different rules.
 */
export function refusing(id: string, unit: Unit, rejected: ReadonlyMap<string, string>): Unit | null {
  const key = ingressOf(id);
  const isNew = (each: string, fragment: Fragment): boolean => rejected.has(each) && !refusals.has(fragment);
  const errors = [...unit.fragments].flatMap(([each, fragment]) =>
    isNew(each, fragment) ? [`rejected by the server: ${rejected.get(each) ?? ''}`] : [],
  );
  if (key === null || errors.length === 0) return null;
  const fragments = [...unit.fragments].map(
    ([each, fragment]) => [each, isNew(each, fragment) ? refusal(fragment) : fragment] as const,
  );
  const warnings = [...(unit.warnings.get(key) ?? []), ...errors];
  return { ...unit, fragments: new Map(fragments), warnings: new Map([...unit.warnings, [key, warnings]]) };
}

const refusals = new WeakSet<Fragment>();

function refusal(fragment: Fragment): Fragment {
  const servers = Object.entries(objectAt(fragment.config, ['apps', 'http', 'servers'])).map(([name, server]) => [
    name,
    {
      ...objectAt(server, []),
      routes: listAt(server, ['routes']).map((each) => ({ ...objectAt(each, []), handle: [unavailable()] })),
    },
  ]);
  const refused = { ...fragment, config: { apps: { http: { servers: Object.fromEntries(servers) as JsonObject } } } };
  refusals.add(refused);
  return refused;
}

export const unitIds = {
  base: 'base',
  ingress: (key: string): string => `ingress/${key}`,
  host: (host: string): string => `host/${host}`,
};

/** Returns the key of a unit's Ingress, or `null` for other units. */
export function ingressOf(id: string): string | null {
  return id.startsWith('ingress/') ? id.slice('ingress/'.length) : null;
}

export interface UnitContext {
  readonly view: IngressView;
  readonly settings: IngressSettings;
  readonly ingress: (key: string) => Ingress | undefined;
}

/** Translates a unit. Returns `null` if the unit's Ingress doesn't exist. */
export function translateUnit(id: string, { view, settings, ingress }: UnitContext): Unit | null {
  const key = ingressOf(id);
  if (key === null) {
    const { fragments, ...rest } = translateHost(id.slice(id.indexOf('/') + 1), view, settings);
    return { ...rest, fragments: prefixed(id, fragments) };
  }
  const found = ingress(key);
  if (found === undefined) return null;
  const { fragments, dependsOn, warnings, refused } = translateIngress(found, view, settings);
  const all =
    refused === null ? warnings : [`rejected; its paths respond with status code 503: ${refused}`, ...warnings];
  return { fragments: prefixed(id, fragments), dependsOn, warnings: new Map([[key, all]]) };
}

export function translateBase({ view, settings }: UnitContext, log: Logger): Unit {
  const dependsOn = new Set<string>();
  const none: Ingress = { metadata: { name: '' }, spec: {} };
  const annotations = new Annotations(none, settings.prefix);
  const fragment = baseFragment({ ingress: none, namespace: '', annotations, view, settings, dependsOn });
  for (const warning of annotations.warnings) log.warn('invalid default annotation for Ingresses', { warning });
  return { fragments: new Map([[unitIds.base, fragment]]), dependsOn, warnings: new Map() };
}

function prefixed(id: string, fragments: ReadonlyMap<string, Fragment>): ReadonlyMap<string, Fragment> {
  return new Map([...fragments].map(([rest, fragment]) => [`${id}/${rest}`, fragment]));
}
