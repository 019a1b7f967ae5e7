/** Converts the Traefik labels of all containers to configuration fragments, one per router. */
import { compareText, messageOf, SluiceError, type JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { isEqual, isSameContainer, type LabeledContainer } from '../labels.ts';
import type { Problem } from '../sites.ts';
import { groupLabels, LabelOptions, type TraefikLabels } from './labels.ts';
import { convertMiddleware } from './middlewares.ts';
import { parseRule } from './rule.ts';
import { proxyOf, serversOf, type Server } from './services.ts';

/** Listen addresses, keyed by entry point name. */
export type EntryPoints = Readonly<Record<string, string>>;

export interface TraefikRoutes {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly problems: readonly Problem[];
}

/** A Traefik router, service or middleware, with the containers that define it. */
interface Definition {
  readonly options: LabelOptions;
  readonly containers: string[];
}

interface Service extends Definition {
  readonly servers: Server[];
}

/** Definitions of one container, including the default ones. */
interface Own {
  readonly labels: TraefikLabels;
  readonly routers: ReadonlyMap<string, LabelOptions>;
  readonly services: ReadonlyMap<string, LabelOptions>;
  readonly servers: ReadonlyMap<string, readonly Server[]>;
}

/** Parsed labels of one container. References to other containers are not resolved yet. */
interface Parsed {
  readonly container: LabeledContainer;
  /** Definitions of the container. `null` if the container is disabled or a label is invalid. */
  readonly own: Own | null;
  readonly problems: readonly string[];
}

/** A converted router, with the inputs on which the result depends. */
interface Made {
  readonly inputs: readonly unknown[];
  readonly fragment: Fragment;
}

interface Middleware {
  readonly options: LabelOptions;
  readonly converted: ReturnType<typeof convertMiddleware>;
}

/** Maximum nesting depth of `chain` middlewares. */
const maxDepth = 16;
/** Prefix of router ranks, so that routers come after sites of the caddy-docker-proxy dialect. */
const rankPrefix = '2 ';

/**
 * Generates the configuration fragments. Omits containers with an invalid label, and routers with an invalid reference. Reuses the previous
 * result. Unchanged containers are not parsed again, and unchanged fragments are the same objects.
 */
export class RouteGenerator {
  readonly #entryPoints: EntryPoints;
  readonly #converted = new WeakMap<LabelOptions, Middleware['converted']>();
  #parsed = new Map<string, Parsed>();
  #made = new Map<string, Made>();

  constructor(entryPoints: EntryPoints) {
    this.#entryPoints = entryPoints;
  }

  generate(containers: readonly LabeledContainer[]): TraefikRoutes {
    const parsed = new Map(containers.map((container) => [container.id, this.#parse(container)]));
    this.#parsed = parsed;
    const definitions = new Definitions();
    for (const each of [...parsed.values()].sort((a, b) => compareText(a.container.name, b.container.name)))
      definitions.add(each);
    const made = new Map<string, Made>();
    const { problems } = definitions;
    for (const [name, router] of definitions.routers)
      try {
        made.set(name, this.#make(name, router, definitions));
      } catch (error) {
        for (const container of router.containers) problems.push({ container, error: messageOf(error) });
      }
    this.#made = made;
    return { fragments: new Map([...made].map(([name, { fragment }]) => [`traefik ${name}`, fragment])), problems };
  }

  #parse(container: LabeledContainer): Parsed {
    const known = this.#parsed.get(container.id);
    if (known !== undefined && isSameContainer(known.container, container)) return known;
    try {
      const labels = groupLabels(container.labels);
      if (labels.isEnabled === false) return { container, own: null, problems: [] };
      const own = ownOf(container, labels);
      this.#check(own);
      const definitions = [...own.routers.values(), ...own.services.values(), ...labels.middlewares.values()];
      const unread = [...labels.unknown, ...definitions.flatMap((each) => each.unread())];
      return { container, own, problems: unread.map((label) => `label ${label} has no equivalent`) };
    } catch (error) {
      return { container, own: null, problems: [messageOf(error)] };
    }
  }

  /** Validates all definitions of a container by converting them, so that its errors affect no other container. */
  #check({ labels, routers, services, servers }: Own): void {
    for (const [name, options] of routers) {
      this.#router(name, options, '', []);
      // References to middlewares are resolved later, when all containers are available.
      options.list('middlewares');
      options.text('service');
    }
    for (const [name, options] of services) proxyOf(options, servers.get(name) ?? []);
    for (const options of labels.middlewares.values()) this.#convert(options);
  }

  #convert(options: LabelOptions): Middleware['converted'] {
    const converted = this.#converted.get(options) ?? convertMiddleware(options);
    this.#converted.set(options, converted);
    return converted;
  }

  #make(name: string, { options, containers }: Definition, definitions: Definitions): Made {
    const service = plainName(options.text('service') ?? '');
    const middlewares = this.#middlewares(options, definitions);
    const target = definitions.services.get(service);
    if (target === undefined) throw options.error('service', `unknown service ${service}`);
    const object = `router ${name} of ${containersOf([...containers, ...target.containers])}`;
    const inputs = [object, options, target.options, ...target.servers, ...middlewares.map((each) => each.options)];
    const known = this.#made.get(name);
    if (known !== undefined && isEqual(known.inputs, inputs)) return known;
    const handlers = middlewares.flatMap(({ converted }) => converted.handlers);
    const loadBalancing: JsonObject = Object.assign({}, ...middlewares.map(({ converted }) => converted.loadBalancing));
    const proxy = proxyOf(target.options, target.servers, loadBalancing);
    return { inputs, fragment: this.#router(name, options, object, [...handlers, proxy]) };
  }

  #router(name: string, options: LabelOptions, object: string, handle: readonly JsonObject[]): Fragment {
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

  /**
   * Returns the listen addresses of a router. If `entrypoints` is not set, a router with TLS uses all entry points with port 443. Other
   * routers use the rest.
   */
  #addresses(options: LabelOptions): readonly (readonly [name: string, address: string])[] {
    const isTls = options.boolean('tls') ?? options.hasPrefix('tls.');
    options.text('tls.certresolver');
    // Reject TLS options other than the default, because they can require client certificates.
    if ((options.text('tls.options') ?? 'default') !== 'default')
      throw options.error('tls.options', 'TLS options are not supported');
    const names = options.list('entrypoints');
    if (names.length === 0)
      return Object.entries(this.#entryPoints).filter(([, address]) => isTlsAddress(address) === isTls);
    return names.map((name) => {
      const address = Object.hasOwn(this.#entryPoints, name) ? this.#entryPoints[name] : undefined;
      if (address === undefined)
        throw options.error('entrypoints', `unknown entry point ${name}; add it to the provider's entry_points`);
      if (isTls && /(?:^|:)80$/.test(address))
        throw options.error('entrypoints', `the entry point ${name} has no TLS, which the router requires`);
      return [name, address] as const;
    });
  }

  /** Returns the middlewares of a router in order. Replaces chains with their middlewares. */
  #middlewares(options: LabelOptions, definitions: Definitions): readonly Middleware[] {
    const all: Middleware[] = [];
    const add = (name: string, depth: number): void => {
      const found = definitions.middlewares.get(plainName(name));
      if (found === undefined) throw options.error('middlewares', `unknown middleware ${name}`);
      if (depth > maxDepth) throw options.error('middlewares', `chain middleware ${name} is nested too deeply`);
      const converted = this.#convert(found.options);
      all.push({ options: found.options, converted });
      for (const each of converted.chain ?? []) add(each, depth + 1);
    };
    for (const name of options.list('middlewares')) add(name, 0);
    return all;
  }
}

/** Traefik routers, services and middlewares of all containers. */
class Definitions {
  readonly routers = new Map<string, Definition>();
  readonly services = new Map<string, Service>();
  readonly middlewares = new Map<string, Definition>();
  readonly problems: Problem[] = [];

  /** Adds the definitions of a container, except those that conflict with an earlier container. */
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

function containersOf(names: readonly string[]): string {
  const all = [...new Set(names)].sort(compareText);
  return `${all.length === 1 ? 'container' : 'containers'} ${all.join(', ')}`;
}

function isTlsAddress(address: string): boolean {
  return /(?:^|:)443$/.test(address);
}

/** Removes the suffix `@docker` from a name. References to other providers keep their suffix, and are reported as unknown. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/@docker$/, '');
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

/** Returns the definitions of a container. Adds the default router and service, and the default options of routers. */
function ownOf(container: LabeledContainer, labels: TraefikLabels): Own {
  const name = defaultName(container);
  // Containers that define only middlewares need no default service.
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

/** Returns the default router name, as in Traefik: `service-project` for Compose containers, otherwise the container name. */
function defaultName({ name, labels }: LabeledContainer): string {
  const service = labels['com.docker.compose.service'];
  const project = labels['com.docker.compose.project'];
  const text = service === undefined || project === undefined ? name : `${service}-${project}`;
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
