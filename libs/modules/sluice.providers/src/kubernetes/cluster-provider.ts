/** Connection, leader election and lifecycle, shared by the providers of Kubernetes objects. */
import type { FragmentResults, Provider, ProviderHost } from '@sluice/providers-app/contract';
import { inClusterAccess, kubeconfigAccess } from './api/access.ts';
import { KubeClient } from './api/client.ts';
import { aborted, Election, leaseOf } from './api/lease.ts';

/** Controller that watches objects in a cluster and writes their status. */
interface ClusterController {
  start(): Promise<void>;
  writeAllStatus(): void;
  applied(results: FragmentResults): void;
}

export interface ClusterOptions {
  /** Path of a kubeconfig file. Defaults to the environment variable KUBECONFIG, or else to the pod's service account. */
  readonly kubeconfig?: string | null | undefined;
  /** Context in the kubeconfig file. Defaults to the file's current context. */
  readonly context?: string | null | undefined;
  /**
   * Name of the leader election Lease: `namespace/name`, `name`, or `none` to disable leader election. The default is `none` if a
   * kubeconfig file is used, otherwise `defaultLease`.
   */
  readonly lease?: string | null | undefined;
}

/** Creates the controller for one start attempt. The signal aborts its requests and watches. */
export type CreateController = (
  isLeader: () => boolean,
  client: KubeClient,
  host: ProviderHost,
  signal: AbortSignal,
) => ClusterController;

export class ClusterProvider implements Provider {
  readonly #kubeconfig: string | undefined;
  readonly #context: string | undefined;
  readonly #lease: string;
  readonly #create: CreateController;
  #controller: ClusterController | null = null;

  constructor(options: ClusterOptions, defaultLease: string, create: CreateController) {
    this.#kubeconfig = options.kubeconfig || process.env['KUBECONFIG'];
    this.#context = options.context || undefined;
    this.#lease = options.lease || (this.#kubeconfig ? 'none' : defaultLease);
    this.#create = create;
  }

  async watch(host: ProviderHost, signal: AbortSignal): Promise<void> {
    const file = this.#kubeconfig;
    const client = new KubeClient(file ? kubeconfigAccess(file, this.#context) : inClusterAccess(process.env));
    // Aborts requests and watches if this start attempt fails.
    const attempt = new AbortController();
    const active = AbortSignal.any([signal, attempt.signal]);
    try {
      const lease = leaseOf(this.#lease, client.access.namespace);
      const election = lease === null ? null : new Election(client, lease, host.log);
      const controller = this.#create(() => election === null || election.isLeader, client, host, active);
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
