/** Settings of the controller. */

export interface ControllerOptions {
  readonly controllerName: string;
  /** Server addresses, of which each Gateway gets one; empty = Gateways share all addresses. */
  readonly addresses: readonly string[];
  /** Addresses for the status of Gateways that share all addresses. */
  readonly published: readonly string[];
  /** Reports whether this replica writes status. */
  readonly isLeader: () => boolean;
}
