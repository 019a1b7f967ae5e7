/** `sluice.providers.kubernetes`: routes of the Gateway API. */
import { defineModule, options, string, strings } from '@sluice/registry';
import { providers, type FragmentResults, type Provider, type ProviderHost } from '@sluice/providers-app/contract';
import { inClusterAccess, kubeconfigAccess, type ClusterAccess } from './api/access.ts';
import { KubeClient } from './api/client.ts';
import { aborted, Election, leaseOf } from './api/lease.ts';
import { Controller } from './controller.ts';

const defaultController = 'sluice.dev/gateway-controller';
const defaultLease = 'sluice-gateway-controller';

interface Settings {
  readonly access: () => ClusterAccess;
  readonly controllerName: string;
  readonly addresses: readonly string[];
  readonly published: readonly string[];
  /** Name of the Lease: `namespace/name` or `name`. An empty string disables leader election; `null` selects the default name. */
  readonly lease: string | null;
}

export const kubernetesModule = defineModule(providers, {
  name: 'kubernetes',
  help: 'Routes of the Kubernetes Gateway API: Gateways, ListenerSets and all kinds of routes.',
  config: options({
    kubeconfig: string(
      'Path of a kubeconfig file with a token or a client certificate. Default: the environment variable KUBECONFIG, otherwise the service account of the pod.',
      { examples: ['/etc/sluice/kubeconfig'] },
    ),
    context: string('Context in the kubeconfig file. Default: its current context.'),
    controller_name: string('Name by which a GatewayClass selects this provider.', { default: defaultController }),
    addresses: strings(
      'IP addresses of this server, of which each Gateway gets one. Default: all Gateways listen on all addresses, and listeners with the same port share it.',
      { examples: [['192.0.2.10', '192.0.2.11']] },
    ),
    status_addresses: strings(
      'IP addresses or host names at which clients reach Gateways, for their status. Has no effect if addresses is set.',
      { examples: [['203.0.113.10']] },
    ),
    lease: string(
      'Lease that elects the replica that writes status, as `namespace/name`. `none` = no election. Default: sluice-gateway-controller in the namespace of the service account; none with a kubeconfig file.',
    ),
  }),
  provision(config): Provider {
    const file = config.kubeconfig || process.env['KUBECONFIG'];
    return new KubernetesProvider({
      access: () => (file ? kubeconfigAccess(file, config.context || undefined) : inClusterAccess(process.env)),
      controllerName: config.controller_name || defaultController,
      addresses: config.addresses ?? [],
      published: config.status_addresses ?? [],
      lease: config.lease || (file ? 'none' : null),
    });
  },
});

class KubernetesProvider implements Provider {
  readonly #settings: Settings;
  #controller: Controller | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async watch(host: ProviderHost, signal: AbortSignal): Promise<void> {
    const { access, controllerName, addresses, published } = this.#settings;
    const client = new KubeClient(access());
    // Aborts requests and watches if this attempt fails.
    const attempt = new AbortController();
    const active = AbortSignal.any([signal, attempt.signal]);
    try {
      const lease = leaseOf(this.#settings.lease ?? defaultLease, client.access.namespace);
      const election = lease === null ? null : new Election(client, lease, host.log);
      const isLeader = (): boolean => election === null || election.isLeader;
      const controller = new Controller({ controllerName, addresses, published, isLeader }, client, host, active);
      this.#controller = controller;
      await controller.start();
      await (election?.run(() => {
        controller.writeAllStatus();
      }, active) ?? aborted(active));
    } finally {
      attempt.abort();
      client.close();
    }
  }

  applied(results: FragmentResults): void {
    this.#controller?.applied(results);
  }
}
