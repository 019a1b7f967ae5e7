/** Routers, services and middlewares that the labels of containers define. */
import { compareText, SluiceError } from '@sluice/base';
import type { LabeledContainer } from '../labels.ts';
import type { Problem } from '../sites.ts';
import { LabelOptions, type TraefikLabels } from './labels.ts';
import { serversOf, type Server } from './services.ts';

/** A router, service or middleware, with the containers that define it. */
export interface Definition {
  readonly options: LabelOptions;
  readonly containers: string[];
}

export interface Service extends Definition {
  readonly servers: Server[];
}

/** Definitions of one container. */
export interface Own {
  readonly labels: TraefikLabels;
  readonly routers: Map<string, LabelOptions>;
  readonly services: ReadonlyMap<string, LabelOptions>;
  readonly servers: ReadonlyMap<string, readonly Server[]>;
}

/** Labels of one container, without references to other containers. */
export interface Parsed {
  readonly container: LabeledContainer;
  /** `null` if the container is disabled, or a label is invalid. */
  readonly own: Own | null;
  readonly problems: readonly string[];
}

export function serviceOf(name: string, error: Error, { services }: Definitions): Service {
  const found = services.get(name);
  if (found === undefined) throw error;
  return found;
}

/** Routers, services and middlewares of all containers. */
export class Definitions {
  readonly routers = new Map<string, Definition>();
  readonly services = new Map<string, Service>();
  readonly middlewares = new Map<string, Definition>();
  readonly problems: Problem[] = [];

  /** Adds the definitions of a container, unless they conflict with those of an earlier container. */
  add({ container: { name: container }, own, problems }: Parsed): void {
    const reported = own === null ? null : this.#conflictOf(own);
    for (const error of reported === null ? problems : [reported]) this.problems.push({ container, error });
    if (own === null || reported !== null) return;
    define(this.routers, own.routers, container);
    define(this.middlewares, own.labels.middlewares, container);
    for (const [name, options] of own.services) {
      const known = this.services.get(name) ?? { options, containers: [], servers: [] };
      this.services.set(name, known);
      known.containers.push(container);
      known.servers.push(...(own.servers.get(name) ?? []));
    }
  }

  #conflictOf({ labels, routers, services }: Own): string | null {
    return (
      conflictAmong(routers, this.routers) ??
      conflictAmong(services, this.services) ??
      conflictAmong(labels.middlewares, this.middlewares)
    );
  }
}

function define(into: Map<string, Definition>, added: ReadonlyMap<string, LabelOptions>, container: string): void {
  for (const [name, options] of added) {
    const known = into.get(name) ?? { options, containers: [] };
    into.set(name, known);
    known.containers.push(container);
  }
}

export function containersOf(names: readonly string[]): string {
  const all = [...new Set(names)].sort(compareText);
  return `${all.length === 1 ? 'container' : 'containers'} ${all.join(', ')}`;
}

function conflictAmong(
  added: ReadonlyMap<string, LabelOptions>,
  existing: ReadonlyMap<string, Definition>,
): string | null {
  for (const [name, options] of added) {
    const known = existing.get(name);
    if (known === undefined) continue;
    const label = options.conflictWith(known.options) ?? known.options.conflictWith(options);
    if (label !== undefined) return `label ${label}: differs from the label of container ${known.containers[0]}`;
  }
  return null;
}

/** Adds the default router and service, and the default options of routers. */
export function ownOf(container: LabeledContainer, labels: TraefikLabels): Own {
  const name = defaultName(container);
  // Containers that define only middlewares need no service.
  const isDefault = labels.services.size === 0 && (labels.routers.size > 0 || labels.middlewares.size === 0);
  const services = isDefault ? new Map([[name, new LabelOptions()]]) : labels.services;
  const routers = new Map(labels.routers);
  if (routers.size === 0 && services.size === 1) routers.set(name, new LabelOptions());
  const [only = ''] = services.keys();
  for (const options of routers.values()) {
    if (!options.has('rule')) options.set('rule', { label: 'rule', value: `Host(\`${name}\`)` });
    if (options.has('service')) continue;
    if (services.size > 1)
      throw new SluiceError('ERR_LABEL', `the router requires a service label, because there are several services`);
    options.set('service', { label: 'service', value: only });
  }
  const servers = new Map([...services].map(([each, options]) => [each, serversOf(options, container)]));
  return { labels, routers, services, servers };
}

/** Returns `service-project` for Compose containers, otherwise the container name, as in Traefik's default rule. */
function defaultName({ name, labels }: LabeledContainer): string {
  const service = labels['com.docker.compose.service'];
  const project = labels['com.docker.compose.project'];
  const text = service === undefined || project === undefined ? name : `${service}-${project}`;
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
/** Removes the suffix `@docker`. References to other providers keep their suffix and are treated as unknown. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/@docker$/, '');
}
