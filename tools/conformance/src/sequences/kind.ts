/** A kind of objects in the sequences. */
/** Objects of one kind. Variants are taken modulo their number. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Object names, with the namespace before a slash for namespaced objects. */
  readonly names: readonly string[];
  readonly variants: readonly object[];
  /** True if the providers write the status of this kind. */
  readonly hasStatus: boolean;
}
