/** `sluice.providers.docker`: generates sites from labels of running containers, in the dialects of caddy-docker-proxy and Traefik. */
import { choice, defineModule, list, map, options, string, strings } from '@sluice/registry';
import { providers, type Fragment, type Provider, type ProviderHost } from '@sluice/providers-app/contract';
import { Engine, type EngineContainer } from './engine.ts';
import { hasLabels, type LabeledContainer } from './labels.ts';
import { fragmentOf, objectOf, SiteGenerator, withLabel, type GeneratedSite } from './sites.ts';
import { hasTraefikLabels } from './traefik/labels.ts';
import type { EntryPoints } from './traefik/entry-points.ts';
import { RouteGenerator } from './traefik/routes.ts';

/** Name of the label that selects the network for a container's addresses. */
const networkLabel = 'ingress_network';

interface Settings {
  readonly engine: Engine;
  readonly labelPrefix: string;
  /** Networks that the server can reach. Empty means all networks. */
  readonly networks: readonly string[];
  readonly isCaddy: boolean;
  /** Entry points for Traefik labels, or `null` to ignore these labels. */
  readonly entryPoints: EntryPoints | null;
}

const defaultEntryPoints: EntryPoints = { web: ':80', websecure: ':443' };

export const dockerModule = defineModule(providers, {
  name: 'docker',
  help: 'Creates sites from the labels of running Docker or Podman containers, like caddy-docker-proxy: `caddy: example.com` and `caddy.reverse_proxy: "{{upstreams 8080}}"`.',
  config: options({
    endpoint: string(
      'Address of the container engine: `unix:///path` or `tcp://host:port`. Default: the value of the DOCKER_HOST environment variable if it is set, otherwise unix:///var/run/docker.sock.',
      { examples: ['unix:///run/podman/podman.sock'] },
    ),
    label_prefix: string('Prefix of the container labels to read.', { default: 'caddy' }),
    dialects: list(
      'Label syntaxes to accept: `caddy` (caddy-docker-proxy), `traefik`, or both. Default: `caddy`.',
      choice('Label syntax.', ['caddy', 'traefik']),
    ),
    entry_points: map(
      'Map of Traefik entry point names to listen addresses. Addresses with port 443 use TLS. Default: web = `:80`, websecure = `:443`.',
      string('Listen address.'),
    ),
    networks: strings(
      'Container networks from which `upstreams` takes container addresses. A container can select one network with the `caddy_ingress_network` label. Default: all networks of the container.',
    ),
  }),
  provision(config, context): Provider {
    const address = config.endpoint || process.env['DOCKER_HOST'] || 'unix:///var/run/docker.sock';
    let engine: Engine;
    try {
      engine = new Engine(address);
    } catch (error) {
      throw context.error((error as Error).message, 'endpoint');
    }
    return new DockerProvider({
      engine,
      labelPrefix: config.label_prefix ?? 'caddy',
      networks: config.networks ?? [],
      isCaddy: config.dialects?.includes('caddy') ?? true,
      entryPoints: config.dialects?.includes('traefik') ? entryPointsOf(config.entry_points) : null,
    });
  },
});

function entryPointsOf(configured: Readonly<Record<string, string | null>> | null | undefined): EntryPoints {
  if (configured == null) return defaultEntryPoints;
  return Object.fromEntries(
    Object.entries(configured).flatMap(([name, address]) => (address === null ? [] : [[name, address]])),
  );
}

class DockerProvider implements Provider {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async watch(host: ProviderHost, signal: AbortSignal): Promise<void> {
    const watching = new Watching(host, this.#settings, signal);
    const onOpen = (): void => {
      watching.refresh(null);
    };
    await this.#settings.engine.events(onOpen, watching.refresh, watching.signal);
  }
}

/** Adapted configuration of a site, or `null` if its Caddyfile is invalid. */
interface Adapted {
  readonly caddyfile: string;
  readonly fragment: Fragment | null;
}

/** Maximum number of containers to request by ID. If more containers are affected, all containers are requested. */
const maxReadById = 50;

/** Labels of a container in each dialect, or `null` if it has none in that dialect. */
interface Labeled {
  readonly caddy: LabeledContainer | null;
  readonly traefik: LabeledContainer | null;
}

/** After Docker events, rereads the affected containers, one request at a time. Adapts the sites that changed. */
class Watching {
  readonly signal: AbortSignal;
  readonly #host: ProviderHost;
  readonly #settings: Settings;
  readonly #failed = new AbortController();
  readonly #generator: SiteGenerator;
  readonly #routes: RouteGenerator;
  readonly #containers = new Map<string, Labeled>();
  #adapted = new Map<string, Adapted>();
  #reported = new Set<string>();
  #isReading = false;
  #areAllStale = false;
  /** IDs of containers that may have changed. */
  #stale = new Set<string>();

  constructor(host: ProviderHost, settings: Settings, signal: AbortSignal) {
    this.#host = host;
    this.#settings = settings;
    this.#generator = new SiteGenerator(settings.labelPrefix);
    this.#routes = new RouteGenerator(settings.entryPoints ?? {});
    this.signal = AbortSignal.any([signal, this.#failed.signal]);
  }

  /** @param id Container that may have changed; `null` means all. */
  readonly refresh = (id: string | null): void => {
    if (id === null) this.#areAllStale = true;
    else this.#stale.add(id);
    if (!this.#isReading) void this.#read();
  };

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while ((this.#areAllStale || this.#stale.size > 0) && !this.signal.aborted) {
        const ids = this.#stale;
        const isAll = this.#areAllStale || ids.size > maxReadById;
        this.#stale = new Set();
        this.#areAllStale = false;
        const found = await this.#settings.engine.containers(this.signal, isAll ? undefined : ids);
        for (const id of isAll ? this.#containers.keys() : ids) this.#containers.delete(id);
        for (const each of found) this.#containers.set(each.id, this.#labelsOf(each));
        await this.#update();
      }
    } catch (error) {
      this.#failed.abort(error);
    } finally {
      this.#isReading = false;
    }
  }

  #labelsOf(container: EngineContainer): Labeled {
    const { labelPrefix, isCaddy, entryPoints } = this.#settings;
    const { labels } = container;
    return {
      caddy:
        isCaddy && hasLabels(labels, labelPrefix) ? this.#labeled(container, `${labelPrefix}_${networkLabel}`) : null,
      traefik:
        entryPoints !== null && hasTraefikLabels(labels) && container.isHealthy
          ? this.#labeled(container, 'traefik.docker.network')
          : null,
    };
  }

  async #update(): Promise<void> {
    const containers = [...this.#containers.values()];
    const { sites, problems } = this.#generator.generate(containers.flatMap(({ caddy }) => caddy ?? []));
    const reports = problems.map(({ container, error }) => `container ${container}: ${error}`);
    const adapted = new Map<string, Adapted>();
    for (const site of sites) {
      const known = this.#adapted.get(site.key);
      if (known?.caddyfile === site.caddyfile && known.fragment?.object === objectOf(site))
        adapted.set(site.key, known);
      else adapted.set(site.key, { caddyfile: site.caddyfile, fragment: await this.#adapt(site, reports) });
    }
    this.#adapted = adapted;
    const traefik = this.#routes.generate(containers.flatMap(({ traefik: each }) => each ?? []));
    reports.push(...traefik.problems.map(({ container, error }) => `container ${container}: ${error}`));
    this.#report(reports);
    const all = [...adapted].flatMap(([key, { fragment }]) => (fragment === null ? [] : [[key, fragment] as const]));
    this.#host.replace(new Map([...all, ...traefik.fragments]));
  }

  async #adapt(site: GeneratedSite, reports: string[]): Promise<Fragment | null> {
    try {
      return fragmentOf(site, await this.#host.adapt('caddyfile', site.caddyfile));
    } catch (error) {
      reports.push(`${objectOf(site)}: ${withLabel((error as Error).message, site)}`);
      return null;
    }
  }

  /** Logs each problem once until it is resolved. */
  #report(reports: readonly string[]): void {
    for (const report of reports) if (!this.#reported.has(report)) this.#host.log.warn(`ignored labels: ${report}`);
    this.#reported = new Set(reports);
  }

  #labeled({ id, name, labels, networks, data }: EngineContainer, networkOption: string): LabeledContainer {
    const { networks: chosen } = this.#settings;
    const own = labels[networkOption];
    const used = own !== undefined ? [own] : chosen.length > 0 ? chosen : [...networks.keys()];
    return { id, name, labels, data, addresses: used.flatMap((network) => networks.get(network) ?? []) };
  }
}
