/** Settings of the controller. */

export interface ControllerOptions {
  readonly controllerName: string;
  /** Server addresses. Each Gateway gets one of them; if empty, Gateways share all addresses. */
  readonly addresses: readonly string[];
  /** Addresses in the status of Gateways that share all addresses. */
  readonly published: readonly string[];
  /** Reports whether this replica writes status. */
  readonly isLeader: () => boolean;
}
