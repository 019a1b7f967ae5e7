/** `sluice.providers.kubernetes`: serves routes of the Kubernetes Gateway API. */
import { defineModule, options, string, strings } from '@sluice/registry';
import { providers, type Provider } from '@sluice/providers-app/contract';
import { ClusterProvider } from './cluster-provider.ts';
import { Controller } from './controller.ts';

const defaultController = 'sluice.dev/gateway-controller';
const defaultLease = 'sluice-gateway-controller';

export const kubernetesModule = defineModule(providers, {
  name: 'kubernetes',
  help: 'Serves Kubernetes Gateway API resources: Gateways, ListenerSets and all types of routes.',
  config: options({
    kubeconfig: string(
      "Path of a kubeconfig file that contains a token or a client certificate. Default: the value of the KUBECONFIG environment variable if it is set, otherwise the pod's service account.",
      { examples: ['/etc/sluice/kubeconfig'] },
    ),
    context: string('Name of the context to use from the kubeconfig file. Default: its current context.'),
    controller_name: string(
      'Controller name. This provider handles GatewayClasses with this name in `spec.controllerName`.',
      {
        default: defaultController,
      },
    ),
    addresses: strings(
      'IP addresses of this server. Each Gateway is assigned one of these addresses. Default: all Gateways listen on all addresses, and listeners with the same port number share the port.',
      { examples: [['192.0.2.10', '192.0.2.11']] },
    ),
    status_addresses: strings(
      'IP addresses or host names at which clients can reach Gateways, published in the status of Gateways. Ignored if `addresses` is set.',
      { examples: [['203.0.113.10']] },
    ),
    lease: string(
      "Leader election lease, as `namespace/name`. The replica that holds the lease writes the status of objects. `none` = no leader election. Default: `sluice-gateway-controller` in the service account's namespace, or `none` if a kubeconfig file is used.",
    ),
  }),
  provision(config): Provider {
    const controllerName = config.controller_name || defaultController;
    const addresses = config.addresses ?? [];
    const published = config.status_addresses ?? [];
    return new ClusterProvider(
      config,
      defaultLease,
      (isLeader, client, host, signal) =>
        new Controller({ controllerName, addresses, published, isLeader }, client, host, signal),
    );
  },
});
