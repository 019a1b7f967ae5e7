/** Translates Kubernetes objects to configuration after each change. For each event, retranslates only the dependent objects. */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { Fragment, FragmentResults, ProviderHost } from '@sluice/providers-app/contract';
import type { ControllerOptions } from './controller-options.ts';
import { Cluster } from './cluster.ts';
import { FragmentQueue } from './fragment-queue.ts';
import { keyIn, routeId, routeKindOf } from './kinds.ts';
import { gatewayId, ObjectStatus, policyId, setId, type GatewayEntry } from './object-status.ts';
import { ReferenceIndex } from './reference-index.ts';
import type { KubeClient } from './api/client.ts';
import { StatusWriter } from './api/status-writer.ts';
import { assignAddresses, type Assignment } from './gateway/addresses.ts';
import { targets } from './gateway/cluster-view.ts';
import { asHttpRoute } from './gateway/grpc-route.ts';
import { backendCertificateOf, validationFindings } from './gateway/gateway-tls.ts';
import { translateRoute, type RouteRecord, type TranslatedRoute } from './gateway/http-route.ts';
import { areSameListeners, listenerSetKey } from './gateway/listener.ts';
import { listenerFragments } from './gateway/listener-fragments.ts';
import { attachedSets, listenersByParent, setsByGateway } from './gateway/listener-sets.ts';
import { listenersOf } from './gateway/listeners.ts';
import { namedTargetsOf, policyTargetsOf } from './gateway/references.ts';
import { isNewer, keyOf, type Gateway, type ListenerSet } from './objects.ts';

export class Controller {
  readonly #options: ControllerOptions;
  readonly #host: ProviderHost;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #cluster: Cluster;
  readonly #queue: FragmentQueue;
  readonly #status: ObjectStatus;
  readonly #dependents = new ReferenceIndex();
  readonly #attached = new ReferenceIndex();
  readonly #gateways = new Map<string, GatewayEntry>();
  /** Routes by ID. */
  readonly #routes = new Map<string, RouteRecord>();
  readonly #dirtyRoutes = new Set<string>();
  /** IDs of objects whose status may be outdated. */
  readonly #dirtyStatus = new Set<string>();
  #areGatewaysDirty = true;
  #isStarted = false;
  #isScheduled = false;

  constructor(options: ControllerOptions, client: KubeClient, host: ProviderHost, signal: AbortSignal) {
    this.#options = options;
    this.#host = host;
    this.#log = host.log;
    this.#signal = signal;
    this.#queue = new FragmentQueue(
      (changes) => {
        host.update(changes);
      },
      (owners) => {
        for (const owner of owners) this.#dirtyStatus.add(owner);
        this.#schedule();
      },
    );
    this.#cluster = new Cluster(client, {
      onClass: (key) => {
        this.#areGatewaysDirty = true;
        this.#touch(`class/${key}`);
      },
      onGateway: (key, gateway, previous) => {
        if (isNewer(gateway, previous)) this.#areGatewaysDirty = true;
        this.#touch(gatewayId(key));
      },
      onListenerSet: (key, set, previous) => {
        if (isNewer(set, previous)) this.#areGatewaysDirty = true;
        this.#touch(setId(key));
      },
      onRoute: (kind, key, route, previous) => {
        const id = routeId(kind, key);
        if (isNewer(route, previous)) this.#dirtyRoutes.add(id);
        this.#touch(id);
      },
      onPolicy: (_key, policy, previous) => {
        // Translate Gateways too, because the ConfigMaps of policies and Gateways are watched together.
        if (isNewer(policy, previous)) this.#areGatewaysDirty = true;
        this.#touchPolicies();
      },
      onTarget: (target) => {
        if (target.startsWith(targets.configMap(''))) this.#touchPolicies();
        for (const id of this.#dependents.dependentsOf(target)) {
          if (id.startsWith('gateway/')) this.#areGatewaysDirty = true;
          else this.#dirtyRoutes.add(id);
        }
        this.#schedule();
      },
      onState: (error) => {
        if (this.#isStarted) host.report(error);
      },
    });
    const { controllerName } = options;
    this.#status = new ObjectStatus(
      {
        controllerName,
        cluster: this.#cluster,
        queue: this.#queue,
        dependents: this.#dependents,
        attached: this.#attached,
        gateways: this.#gateways,
        routes: this.#routes,
      },
      new StatusWriter(client, host.log, options.isLeader, signal),
    );
  }

  /** Lists all objects and passes the resulting configuration to the host. Rejects if the API server is unavailable. */
  async start(): Promise<void> {
    await this.#cluster.start(this.#signal);
    await this.#translateGateways();
    this.#translateRoutes();
    this.#isStarted = true;
    const all = this.#queue.takeAll();
    this.#host.replace(all);
    if (all.size === 0) this.#queue.settle(new Map());
    this.#schedule();
  }

  applied(results: FragmentResults): void {
    this.#queue.settle(results);
  }

  /** Writes the status of all objects whose status is outdated. Called when this replica becomes the leader. */
  writeAllStatus(): void {
    for (const key of this.#cluster.classes.keys()) this.#dirtyStatus.add(`class/${key}`);
    for (const key of this.#gateways.keys()) this.#dirtyStatus.add(gatewayId(key));
    for (const key of this.#cluster.listenerSets.keys()) this.#dirtyStatus.add(setId(key));
    for (const id of this.#routes.keys()) this.#dirtyStatus.add(id);
    this.#touchPolicies();
    this.#schedule();
  }

  #touchPolicies(): void {
    for (const key of this.#cluster.policies.keys()) this.#dirtyStatus.add(policyId(key));
    this.#schedule();
  }

  #touch(id: string): void {
    this.#dirtyStatus.add(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isStarted) return;
    this.#isScheduled = true;
    setImmediate(() => {
      unawaited(taskOf('sluice.providers.kubernetes'), this.#process());
    });
  }

  async #process(): Promise<void> {
    try {
      if (this.#areGatewaysDirty) await this.#translateGateways();
      if (this.#signal.aborted) return;
      this.#translateRoutes();
      this.#queue.flush();
    } catch (error) {
      this.#log.error('failed to convert Gateway API objects', { error });
    }
    this.#isScheduled = false;
    if (this.#areGatewaysDirty || this.#dirtyRoutes.size > 0) this.#schedule();
    this.#writeStatus();
  }

  /**
   * Translates all Gateways if any of them changes, because they share addresses and ports. Routes are retranslated only if their listeners
   * change.
   */
  async #translateGateways(): Promise<void> {
    this.#areGatewaysDirty = false;
    const own = [...this.#cluster.gateways.values()].filter((gateway) => this.#isOwn(gateway));
    const sets = setsByGateway(this.#cluster.listenerSets.values());
    const named = own.flatMap((each) => [each, ...(sets.get(keyOf(each)) ?? [])].flatMap(namedTargetsOf));
    named.push(...[...this.#cluster.policies.values()].flatMap(policyTargetsOf));
    await this.#cluster.watchNamed(new Set(named), this.#signal);
    const assignments = assignAddresses(own, this.#options.addresses, this.#options.published);
    for (const key of this.#gateways.keys()) if (!assignments.has(key)) this.#removeGateway(key);
    const schemes = new Map<string, string>();
    for (const [key, assignment] of assignments) {
      const gateway = this.#cluster.gateways.get(key);
      if (gateway !== undefined) this.#translateGateway(gateway, assignment, sets.get(key) ?? [], schemes);
    }
  }

  #translateGateway(
    gateway: Gateway,
    assignment: Assignment,
    ownSets: readonly ListenerSet[],
    schemes: Map<string, string>,
  ): void {
    const key = keyOf(gateway);
    const dependsOn = new Set<string>();
    const scope = { namespace: gateway.metadata.namespace ?? '', view: this.#cluster, dependsOn };
    const sets = attachedSets(gateway, ownSets, this.#cluster, dependsOn);
    const allowed = sets.filter(({ isAllowed }) => isAllowed).map(({ set }) => set);
    const listeners = listenersOf({ gateway, sets: allowed }, assignment.listen, schemes, scope);
    this.#dependents.set(gatewayId(key), dependsOn);
    const served = assignment.problem === null ? listeners : listeners.map((each) => ({ ...each, isServed: false }));
    const previous = this.#gateways.get(key);
    const fragments = new Map(
      [...listenerFragments(served)].map(([rest, fragment]) => [`${gatewayId(key)}/${rest}`, fragment]),
    );
    this.#queue.set(gatewayId(key), previous?.fragments.keys() ?? [], fragments);
    const tlsFindings = [...backendCertificateOf(gateway, scope).findings, ...validationFindings(gateway)];
    this.#gateways.set(key, { assignment, fragments, sets, tlsFindings });
    this.#dirtyStatus.add(gatewayId(key));
    const parents = listenersByParent(key, allowed, served);
    for (const { key: set } of [...sets, ...(previous?.sets ?? [])]) {
      this.#dirtyStatus.add(setId(set));
      if (!parents.has(listenerSetKey(set))) this.#removeListeners(listenerSetKey(set));
    }
    // Mark routes only if their listeners have changed.
    for (const [parent, group] of parents) {
      if (areSameListeners(this.#cluster.listeners.get(parent), group)) continue;
      this.#cluster.listeners.set(parent, group);
      this.#markRoutesOf(parent);
    }
  }

  #removeGateway(key: string): void {
    const { fragments, sets = [] } = this.#gateways.get(key) ?? {};
    this.#queue.set(gatewayId(key), fragments?.keys() ?? [], new Map());
    this.#gateways.delete(key);
    this.#dependents.set(gatewayId(key), new Set());
    for (const parent of [key, ...sets.map((each) => listenerSetKey(each.key))]) this.#removeListeners(parent);
  }

  #removeListeners(parent: string): void {
    if (this.#cluster.listeners.delete(parent)) this.#markRoutesOf(parent);
  }

  #markRoutesOf(parent: string): void {
    for (const id of this.#dependents.dependentsOf(targets.gateway(parent))) this.#dirtyRoutes.add(id);
  }

  #translateRoutes(): void {
    for (const id of this.#dirtyRoutes) {
      const previous = this.#routes.get(id);
      let translated: TranslatedRoute | null = null;
      try {
        translated = this.#translateRoute(id);
      } catch (error) {
        // An error in one route must not delay other routes.
        this.#log.error('failed to convert a Gateway API route', { route: id, error });
      }
      const fragments = translated?.fragments ?? new Map<string, Fragment>();
      this.#queue.set(id, previous?.fragmentKeys ?? [], fragments);
      const formerTargets = this.#dependents.targetsOf(id);
      const formerListeners = this.#attached.targetsOf(id);
      this.#dependents.set(id, translated?.dependsOn ?? new Set());
      const attachedTo = translated?.attachedTo ?? new Set<string>();
      this.#attached.set(id, attachedTo);
      for (const listener of [...attachedTo, ...formerListeners])
        this.#dirtyStatus.add(gatewayId(listener.slice(0, listener.lastIndexOf('/'))));
      this.#touchPoliciesOf(formerTargets, translated?.dependsOn ?? []);
      if (translated === null) this.#routes.delete(id);
      else {
        const { parents, unsupported } = translated;
        this.#routes.set(id, { parents, unsupported, fragmentKeys: [...fragments.keys()] });
      }
      this.#dirtyStatus.add(id);
    }
    this.#dirtyRoutes.clear();
  }

  /** Marks the status of policies as outdated. The status of a policy lists the Gateways whose routes use the policy. */
  #touchPoliciesOf(...dependencies: readonly Iterable<string>[]): void {
    if (this.#cluster.policies.size === 0) return;
    for (const dependsOn of dependencies)
      for (const key of this.#cluster.policiesUsedBy(dependsOn)) this.#dirtyStatus.add(policyId(key));
  }

  #translateRoute(id: string): TranslatedRoute | null {
    const kind = routeKindOf(id);
    const route = kind === null ? undefined : this.#cluster.route(kind, keyIn(id));
    if (kind === null || route === undefined) return null;
    return translateRoute(kind.kind === 'GRPCRoute' ? asHttpRoute(route) : route, this.#cluster, kind);
  }

  /** Writes the status of objects whose configuration has been applied. */
  #writeStatus(): void {
    if (!this.#options.isLeader()) {
      this.#dirtyStatus.clear();
      return;
    }
    for (const id of this.#dirtyStatus) {
      if (!this.#status.isSettled(id)) continue;
      this.#dirtyStatus.delete(id);
      this.#status.write(id);
    }
  }

  #isOwn({ spec }: Gateway): boolean {
    return this.#cluster.classes.get(spec.gatewayClassName)?.spec.controllerName === this.#options.controllerName;
  }
}
