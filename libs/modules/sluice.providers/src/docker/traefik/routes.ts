/** Converts Traefik's labels of all containers to fragments, one per router. */
import { compareText, messageOf, SluiceError, type JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import type { LabeledContainer } from '../labels.ts';
import type { Problem } from '../sites.ts';
import { groupLabels, LabelOptions, type TraefikLabels } from './labels.ts';
import { convertMiddleware } from './middlewares.ts';
import { parseRule } from './rule.ts';
import { proxyOf, serversOf, type Server } from './services.ts';

/** Listen addresses by names of entry points. */
export type EntryPoints = Readonly<Record<string, string>>;

export interface TraefikRoutes {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly problems: readonly Problem[];
}

/** A router, service or middleware, with the containers that define it. */
interface Definition {
  readonly options: LabelOptions;
  readonly containers: string[];
}

interface Service extends Definition {
  readonly servers: Server[];
}

/** Definitions of one container. */
interface Own {
  readonly labels: TraefikLabels;
  readonly routers: ReadonlyMap<string, LabelOptions>;
  readonly services: ReadonlyMap<string, LabelOptions>;
  readonly servers: ReadonlyMap<string, readonly Server[]>;
}

/** Maximum depth of chains. */
const maxDepth = 16;
/** Ranks of routers follow those of sites from the other dialect. */
const rankPrefix = '2 ';

/** A container with an invalid label is left out. A router with an invalid reference is left out. */
export function routesOf(containers: readonly LabeledContainer[], entryPoints: EntryPoints): TraefikRoutes {
  const routes = new Routes(entryPoints);
  for (const container of containers.toSorted((one, other) => compareText(one.name, other.name))) routes.add(container);
  return routes.result();
}

class Routes {
  readonly #entryPoints: EntryPoints;
  readonly #routers = new Map<string, Definition>();
  readonly #services = new Map<string, Service>();
  readonly #middlewares = new Map<string, Definition>();
  readonly #problems: Problem[] = [];

  constructor(entryPoints: EntryPoints) {
    this.#entryPoints = entryPoints;
  }

  add(container: LabeledContainer): void {
    try {
      const labels = groupLabels(container.labels);
      if (labels.isEnabled === false) return;
      const own = ownOf(container, labels);
      this.#check(own);
      define(this.#routers, own.routers, container.name);
      define(this.#middlewares, labels.middlewares, container.name);
      for (const [name, options] of own.services) {
        const known = this.#services.get(name) ?? { options, containers: [], servers: [] };
        this.#services.set(name, known);
        known.containers.push(container.name);
        known.servers.push(...(own.servers.get(name) ?? []));
      }
      const definitions = [...own.routers.values(), ...own.services.values(), ...labels.middlewares.values()];
      for (const label of [...labels.unknown, ...definitions.flatMap((each) => each.unread())])
        this.#report(container.name, `label ${label} has no counterpart`);
    } catch (error) {
      this.#report(container.name, messageOf(error));
    }
  }

  /** Converts all definitions of a container, so that a mistake affects no other container. */
  #check({ labels, routers, services, servers }: Own): void {
    for (const [name, options] of routers) {
      this.#router(name, { options, containers: [] }, '', []);
      // References are resolved when all containers are known.
      options.list('middlewares');
      options.text('service');
      rejectConflict(options, this.#routers.get(name));
    }
    for (const [name, options] of services) {
      proxyOf(options, servers.get(name) ?? []);
      rejectConflict(options, this.#services.get(name));
    }
    for (const [name, options] of labels.middlewares) {
      convertMiddleware(options);
      rejectConflict(options, this.#middlewares.get(name));
    }
  }

  #report(container: string, error: string): void {
    this.#problems.push({ container, error });
  }

  result(): TraefikRoutes {
    const fragments = new Map<string, Fragment>();
    for (const [name, router] of this.#routers)
      try {
        const { options } = router;
        const service = plainName(options.text('service') ?? '');
        const { handlers, loadBalancing } = this.#handlers(options);
        const target = this.#services.get(service);
        if (target === undefined) throw options.error('service', `unknown service ${service}`);
        const object = `router ${name} of ${containersOf([...router.containers, ...target.containers])}`;
        const proxy = proxyOf(target.options, target.servers, loadBalancing);
        fragments.set(`traefik ${name}`, this.#router(name, router, object, [...handlers, proxy]));
      } catch (error) {
        for (const container of router.containers) this.#report(container, messageOf(error));
      }
    return { fragments, problems: this.#problems };
  }

  #router(name: string, { options }: Definition, object: string, handle: readonly JsonObject[]): Fragment {
    const text = options.text('rule') ?? '';
    let rule;
    try {
      rule = parseRule(text);
    } catch (error) {
      throw options.error('rule', messageOf(error));
    }
    const priority = options.integer('priority') || text.length;
    const route = { match: rule.match, handle: [{ handler: 'subroute', routes: [{ handle }] }], terminal: true };
    const servers = Object.fromEntries(
      this.#addresses(options).map(([entryPoint, address]) => {
        const isSecure = isTlsAddress(address);
        const skipped = isSecure || rule.hosts.length === 0 ? {} : { automatic_https: { skip: rule.hosts } };
        return [entryPoint, { listen: [address], routes: [route], ...skipped }];
      }),
    );
    const order = String(Number.MAX_SAFE_INTEGER - priority).padStart(17, '0');
    return {
      object,
      config: { apps: { http: { servers } } },
      rank: `${rankPrefix}${order} ${name}`,
    };
  }

  /** Without `entrypoints`, a router with TLS uses all entry points with port 443, and other routers the rest. */
  #addresses(options: LabelOptions): readonly (readonly [name: string, address: string])[] {
    const isTls = options.boolean('tls') ?? options.hasPrefix('tls.');
    options.text('tls.certresolver');
    // They can require client certificates.
    if ((options.text('tls.options') ?? 'default') !== 'default')
      throw options.error('tls.options', 'TLS options are not supported');
    const names = options.list('entrypoints');
    if (names.length === 0)
      return Object.entries(this.#entryPoints).filter(([, address]) => isTlsAddress(address) === isTls);
    return names.map((name) => {
      const address = Object.hasOwn(this.#entryPoints, name) ? this.#entryPoints[name] : undefined;
      if (address === undefined)
        throw options.error('entrypoints', `unknown entry point ${name}; add it to entry_points of the provider`);
      if (isTls && /(?:^|:)80$/.test(address))
        throw options.error('entrypoints', `the entry point ${name} has no TLS, which the router requires`);
      return [name, address] as const;
    });
  }

  #handlers(options: LabelOptions): { readonly handlers: JsonObject[]; readonly loadBalancing: JsonObject } {
    const handlers: JsonObject[] = [];
    let loadBalancing: JsonObject = {};
    const add = (name: string, depth: number): void => {
      const found = this.#middlewares.get(plainName(name));
      if (found === undefined) throw options.error('middlewares', `unknown middleware ${name}`);
      if (depth > maxDepth) throw options.error('middlewares', `the chain of ${name} is too deep`);
      const converted = convertMiddleware(found.options);
      handlers.push(...converted.handlers);
      loadBalancing = { ...loadBalancing, ...converted.loadBalancing };
      for (const each of converted.chain ?? []) add(each, depth + 1);
    };
    for (const name of options.list('middlewares')) add(name, 0);
    return { handlers, loadBalancing };
  }
}

function define(into: Map<string, Definition>, added: ReadonlyMap<string, LabelOptions>, container: string): void {
  for (const [name, options] of added) {
    const known = into.get(name) ?? { options, containers: [] };
    into.set(name, known);
    known.containers.push(container);
  }
}

function containersOf(names: readonly string[]): string {
  const all = [...new Set(names)].sort(compareText);
  return `${all.length === 1 ? 'container' : 'containers'} ${all.join(', ')}`;
}

function isTlsAddress(address: string): boolean {
  return /(?:^|:)443$/.test(address);
}

/** Removes the suffix `@docker`. References to other providers are unknown. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/@docker$/, '');
}

function rejectConflict(options: LabelOptions, known: Definition | undefined): void {
  if (known === undefined) return;
  const label = options.conflictWith(known.options) ?? known.options.conflictWith(options);
  if (label !== undefined)
    throw new SluiceError('ERR_LABEL', `label ${label}: differs from the label of container ${known.containers[0]}`);
}

/** Adds the default router and service, and the default options of routers. */
function ownOf(container: LabeledContainer, labels: TraefikLabels): Own {
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
      throw new SluiceError('ERR_LABEL', `a router requires the label service, because there are several services`);
    options.set('service', { label: 'service', value: only });
  }
  const servers = new Map([...services].map(([each, options]) => [each, serversOf(options, container)]));
  return { labels, routers, services, servers };
}

/** `service-project` for containers of Compose, otherwise the container name, as in Traefik's default rule. */
function defaultName({ name, labels }: LabeledContainer): string {
  const service = labels['com.docker.compose.service'];
  const project = labels['com.docker.compose.project'];
  const text = service === undefined || project === undefined ? name : `${service}-${project}`;
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
