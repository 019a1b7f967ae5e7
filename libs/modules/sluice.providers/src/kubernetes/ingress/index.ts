/** `sluice.providers.ingress`: serves Ingresses of a Kubernetes cluster, with ingress-nginx annotations. */
import { boolean, defineModule, options, string, strings } from '@sluice/registry';
import { providers, type Provider } from '@sluice/providers-app/contract';
import { ClusterProvider } from '../cluster-provider.ts';
import { IngressController, type IngressControllerOptions } from './controller.ts';
import { defaultPrefix, defaultSettings } from './settings.ts';

const defaultController = 'sluice.dev/ingress-controller';
const defaultLease = 'sluice-ingress-controller';

export const ingressModule = defineModule(providers, {
  name: 'ingress',
  help: 'Serves Kubernetes Ingress resources. Supports ingress-nginx annotations.',
  config: options({
    kubeconfig: string(
      "Path of a kubeconfig file that contains a token or a client certificate. Default: the value of the KUBECONFIG environment variable if it is set, otherwise the pod's service account.",
      { examples: ['/etc/sluice/kubeconfig'] },
    ),
    context: string('Name of the context to use from the kubeconfig file. Default: its current context.'),
    controller_name: string(
      'Controller name. This provider handles IngressClasses with this name in `spec.controller`.',
      {
        default: defaultController,
      },
    ),
    http: string('Listen address for HTTP. `none` = do not listen for HTTP.', { default: defaultSettings.http }),
    https: string('Listen address for HTTPS. `none` = do not listen for HTTPS.', { default: defaultSettings.https }),
    annotations_prefix: string('Prefix of the Ingress annotations to read.', { default: defaultPrefix }),
    default_backend: string(
      'Service for requests that do not match any path, as `namespace/name`. The first port of the service is used. Default: respond with status code 404.',
    ),
    default_certificate: string(
      'Secret that contains the certificate for hosts that have no other certificate, as `namespace/name`. Default: reject TLS handshakes for such hosts.',
    ),
    allow_snippets: boolean(
      'Apply nginx configuration snippets in annotations. If enabled, Ingress authors can bypass the rules set by other annotations.',
      { default: false },
    ),
    allow_cross_namespace: boolean(
      'Allow annotations that refer to Secrets and ConfigMaps in other namespaces. If enabled, Ingress authors can use Secrets and ConfigMaps that they are not permitted to read.',
      { default: false },
    ),
    trusted_proxies: strings('IP ranges of load balancers whose X-Forwarded-* header fields are trusted.', {
      examples: [['10.0.0.0/8']],
    }),
    status_addresses: strings(
      'IP addresses or host names at which clients can reach this server, published in the status of Ingresses.',
      {
        examples: [['203.0.113.10']],
      },
    ),
    status_service: string(
      'Service whose load balancer addresses are published in the status of Ingresses, as `namespace/name`. Overrides `status_addresses`.',
    ),
    lease: string(
      "Leader election lease, as `namespace/name`. The replica that holds the lease writes status and events. `none` = no leader election. Default: `sluice-ingress-controller` in the service account's namespace, or `none` if a kubeconfig file is used.",
    ),
  }),
  provision(config): Provider {
    const address = (text: string | null | undefined, fallback: string): string =>
      text === 'none' ? '' : text || fallback;
    const controllerOptions: Omit<IngressControllerOptions, 'isLeader'> = {
      controllerName: config.controller_name || defaultController,
      published: config.status_addresses ?? [],
      publishedService: config.status_service ?? '',
      settings: {
        prefix: config.annotations_prefix || defaultPrefix,
        http: address(config.http, defaultSettings.http),
        https: address(config.https, defaultSettings.https),
        defaultBackend: config.default_backend ?? '',
        defaultCertificate: config.default_certificate ?? '',
        allowSnippets: config.allow_snippets ?? false,
        allowCrossNamespace: config.allow_cross_namespace ?? false,
        trustedProxies: config.trusted_proxies ?? [],
        isOffline: false,
      },
    };
    return new ClusterProvider(
      config,
      defaultLease,
      (isLeader, client, host, signal) =>
        new IngressController({ ...controllerOptions, isLeader }, client, host, signal),
    );
  },
});
