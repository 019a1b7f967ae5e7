/** A kind of Kubernetes object used in the test sequences. */
/** Objects of one kind. A variant number is taken modulo the number of variants. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Object names. Names of namespaced objects have the form `namespace/name`. */
  readonly names: readonly string[];
  readonly variants: readonly object[];
  /** True if Sluice writes the status of objects of this kind. */
  readonly hasStatus: boolean;
}
