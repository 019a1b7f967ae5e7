/** Converts Traefik's labels of all containers to fragments, one per router. */
import { compareText, messageOf, type JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { isEqual, isSameContainer, type LabeledContainer } from '../labels.ts';
import type { Problem } from '../sites.ts';
import { entryPointsOf, notFoundOf, serverOf, unknownEntryPoint, type EntryPoints } from './entry-points.ts';
import {
  containersOf,
  Definitions,
  ownOf,
  plainName,
  serviceOf,
  type Definition,
  type Own,
  type Parsed,
} from './definitions.ts';
import { withErrorPages } from './error-pages.ts';
import { groupLabels, type LabelOptions } from './labels.ts';
import { convertMiddleware } from './middlewares.ts';
import { parseRule } from './rule.ts';
import { proxyOf } from './services.ts';

export interface TraefikRoutes {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly problems: readonly Problem[];
}

/** A converted router, and everything that the result depends on. */
interface Made {
  readonly inputs: readonly unknown[];
  readonly fragment: Fragment;
  /** Names of the router's entry points. */
  readonly entryPoints: readonly string[];
}

interface Middleware {
  readonly options: LabelOptions;
  readonly converted: ReturnType<typeof convertMiddleware>;
}

/** Maximum depth of chains. */
const maxDepth = 16;
/** Prefix that sorts routers after the sites from the other label dialect. */
const rankPrefix = '2 ';

/**
 * Generates the fragments. Omits containers that have an invalid label, and routers that have an invalid reference. Reuses the previous
 * result: unchanged containers are not parsed again, and unchanged fragments are the same objects.
 */
export class RouteGenerator {
  readonly #entryPoints: EntryPoints;
  readonly #converted = new WeakMap<LabelOptions, Middleware['converted']>();
  readonly #notFound: ReadonlyMap<string, Fragment>;
  #parsed = new Map<string, Parsed>();
  #made = new Map<string, Made>();

  constructor(entryPoints: EntryPoints) {
    this.#entryPoints = entryPoints;
    this.#notFound = new Map(Object.entries(entryPoints).map((each) => [each[0], notFoundOf(each)]));
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
    const fragments = new Map([...made].map(([name, { fragment }]) => [`traefik ${name}`, fragment]));
    const used = new Set([...made.values()].flatMap(({ entryPoints }) => entryPoints));
    for (const [name, fragment] of this.#notFound) if (used.has(name)) fragments.set(`traefik-404 ${name}`, fragment);
    return { fragments, problems };
  }

  #parse(container: LabeledContainer): Parsed {
    const known = this.#parsed.get(container.id);
    if (known !== undefined && isSameContainer(known.container, container)) return known;
    try {
      const labels = groupLabels(container.labels);
      if (labels.isEnabled === false) return { container, own: null, problems: [] };
      const own = ownOf(container, labels);
      const refused = this.#check(own);
      const definitions = [...own.routers.values(), ...own.services.values(), ...labels.middlewares.values()];
      const unread = [...labels.unknown, ...definitions.flatMap((each) => each.unread())];
      return { container, own, problems: [...refused, ...unread.map((label) => `label ${label} has no equivalent`)] };
    } catch (error) {
      return { container, own: null, problems: [messageOf(error)] };
    }
  }

  /**
   * Converts the definitions of a single container, so that errors do not affect other containers. Removes invalid routers, and
   * returns their errors.
   */
  #check({ labels, routers, services, servers }: Own): string[] {
    const problems: string[] = [];
    for (const [name, options] of routers) {
      // References are resolved later, when all containers are known.
      options.list('middlewares');
      options.text('service');
      try {
        const { unknown } = entryPointsOf(options, this.#entryPoints);
        this.#router(name, options, '', []);
        if (unknown.length > 0) problems.push(options.error('entrypoints', unknownEntryPoint(unknown)).message);
      } catch (error) {
        routers.delete(name);
        problems.push(messageOf(error));
      }
    }
    for (const [name, options] of services) proxyOf(name, options, servers.get(name) ?? []);
    for (const options of labels.middlewares.values()) this.#convert(options);
    return problems;
  }

  #convert(options: LabelOptions): Middleware['converted'] {
    const converted = this.#converted.get(options) ?? convertMiddleware(options);
    this.#converted.set(options, converted);
    return converted;
  }

  #make(name: string, { options, containers }: Definition, definitions: Definitions): Made {
    const service = plainName(options.text('service') ?? '');
    const middlewares = this.#middlewares(options, definitions);
    const [target, ...pageServices] = [
      serviceOf(service, options.error('service', `unknown service ${service}`), definitions),
      ...middlewares.flatMap(({ options: own, converted: { errorPages } }) =>
        errorPages === undefined
          ? []
          : [
              serviceOf(
                plainName(errorPages.service),
                own.error('errors.service', `unknown service ${errorPages.service}`),
                definitions,
              ),
            ],
      ),
    ];
    const object = `router ${name} of ${containersOf([...containers, ...target.containers])}`;
    const used = [target, ...pageServices];
    const inputs = [
      object,
      options,
      ...used.flatMap((each) => [each.options, ...each.servers]),
      ...middlewares.map((each) => each.options),
    ];
    const known = this.#made.get(name);
    if (known !== undefined && isEqual(known.inputs, inputs)) return known;
    const loadBalancing: JsonObject = Object.assign({}, ...middlewares.map(({ converted }) => converted.loadBalancing));
    const host = middlewares.map(({ converted }) => converted.host).findLast((each) => each !== undefined);
    const handlers = middlewares.reduceRight<readonly JsonObject[]>(
      (rest, { converted: { handlers: own, errorPages } }) => {
        const pages = errorPages === undefined ? undefined : pageServices.pop();
        if (errorPages === undefined || pages === undefined) return [...own, ...rest];
        return [withErrorPages(errorPages, proxyOf(plainName(errorPages.service), pages.options, pages.servers), rest)];
      },
      [proxyOf(service, target.options, target.servers, { loadBalancing, host })],
    );
    const fragment = this.#router(name, options, object, handlers);
    const entryPoints = entryPointsOf(options, this.#entryPoints).entryPoints.map(([each]) => each);
    return { inputs, fragment, entryPoints };
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
    const { entryPoints } = entryPointsOf(options, this.#entryPoints);
    const servers = Object.fromEntries(
      entryPoints.map(([entryPoint, address]) => [entryPoint, serverOf(address, rule.match, handle)]),
    );
    const order = String(Number.MAX_SAFE_INTEGER - priority).padStart(17, '0');
    return {
      object,
      config: { apps: { http: { servers } } },
      rank: `${rankPrefix}${order} ${name}`,
    };
  }

  /** Returns the middlewares of a router in order, including those of chains. */
  #middlewares(options: LabelOptions, definitions: Definitions): readonly Middleware[] {
    const all: Middleware[] = [];
    const add = (name: string, depth: number): void => {
      const found = definitions.middlewares.get(plainName(name));
      if (found === undefined) throw options.error('middlewares', `unknown middleware ${name}`);
      if (depth > maxDepth) throw options.error('middlewares', `the chain of ${name} is nested too deeply`);
      const converted = this.#convert(found.options);
      all.push({ options: found.options, converted });
      for (const each of converted.chain ?? []) add(each, depth + 1);
    };
    for (const name of options.list('middlewares')) add(name, 0);
    return all;
  }
}
