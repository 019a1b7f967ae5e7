/** Settings of the Kubernetes controller. */

export interface ControllerOptions {
  readonly controllerName: string;
  /** Server addresses. Each Gateway is assigned one of them. If the list is empty, all Gateways share all addresses. */
  readonly addresses: readonly string[];
  /** Addresses to publish in the status of Gateways that share all addresses. */
  readonly published: readonly string[];
  /** Reports whether this replica is the leader, which writes status. */
  readonly isLeader: () => boolean;
}
