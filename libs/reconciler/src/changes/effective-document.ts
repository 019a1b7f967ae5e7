/**
 * The document that this machine's threads use. It is usually the shared document. A fleet member may also have an overlay that applies
 * only to this machine, and providers may add routes for clusters or containers.
 */
import type { Json } from '@sluice/base';
import type { PatchOperation, PreparedChange } from '@sluice/registry';
import { diff } from '../document/diff.ts';
import { shareSubtrees } from '../document/share.ts';

/** Derives the document of this machine from the shared document. */
export type DocumentView = (document: Json) => Json;

/** The document that the threads use, and the transformations that produced it. */
export interface Effective {
  readonly document: Json;
  /** Transformation that is applied to the shared document first. */
  readonly variant: DocumentView;
  /** Adds configuration that is not part of the shared document, such as routes from providers. Applied last. */
  readonly layer: DocumentView;
  /** JSON Patch from the document that the threads currently use. */
  readonly operations: readonly PatchOperation[];
}

type EffectiveChange = Pick<PreparedChange, 'before' | 'after' | 'operations'>;

/** Transformations that replace the active ones. `null` means no transformation. */
interface Transformations {
  readonly variant?: DocumentView | null | undefined;
  readonly layer?: DocumentView | undefined;
}

/** The document that the threads currently use, and the next one. */
export class EffectiveDocument {
  readonly #view: DocumentView;
  #variant: DocumentView = asItIs;
  #layer: DocumentView;
  #inForce: Json = null;

  constructor(view: DocumentView = asItIs, layer: DocumentView = asItIs) {
    this.#view = view;
    this.#layer = layer;
  }

  /** The document that the threads currently use. */
  get inForce(): Json {
    return this.#inForce;
  }

  /** Returns the document that the threads use for a given shared document. Unchanged subtrees stay the same objects. */
  of(document: Json, variant: DocumentView = this.#variant, layer: DocumentView = this.#layer): Json {
    const seen = layer(this.#view(variant(document)));
    return seen === document ? document : shareSubtrees(this.#inForce, seen);
  }

  /**
   * Returns the result of {@link of} after a change. Computed from the operations of the change. The change may also replace the
   * transformations.
   */
  next(
    { before, after, operations }: EffectiveChange,
    { variant = this.#variant, layer = this.#layer }: Transformations = {},
  ): Effective {
    const made = variant ?? asItIs;
    const document = this.of(after, made, layer);
    const isOwn = document === after && this.#inForce === before;
    return { document, variant: made, layer, operations: isOwn ? operations : diff(this.#inForce, document) };
  }

  /** Records that the threads use the new document. */
  commit({ document, variant, layer }: Effective): void {
    this.#inForce = document;
    this.#variant = variant;
    this.#layer = layer;
  }
}

function asItIs(document: Json): Json {
  return document;
}
