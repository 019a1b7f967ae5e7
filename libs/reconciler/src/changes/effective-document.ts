/**
 * The document used by the threads, which is usually the shared document. A fleet member can also have an overlay that applies only to this
 * machine, and providers add routes of a cluster or of containers.
 */
import type { Json } from '@sluice/base';
import type { PatchOperation, PreparedChange } from '@sluice/registry';
import { diff } from '../document/diff.ts';
import { shareSubtrees } from '../document/share.ts';

/** Derives this machine's document from the shared one. */
export type DocumentView = (document: Json) => Json;

/** The document for the threads. */
export interface Effective {
  readonly document: Json;
  /** Transformation applied to the shared document first. */
  readonly variant: DocumentView;
  /** Adds configuration that is not part of the shared document, such as routes of providers. Applied last. */
  readonly layer: DocumentView;
  /** JSON Patch from the threads' current document. */
  readonly operations: readonly PatchOperation[];
}

type EffectiveChange = Pick<PreparedChange, 'before' | 'after' | 'operations'>;

/** Replacements for the active transformations. `null`: no transformation. */
interface Transformations {
  readonly variant?: DocumentView | null | undefined;
  readonly layer?: DocumentView | undefined;
}

/** The threads' current and next document. */
export class EffectiveDocument {
  readonly #view: DocumentView;
  #variant: DocumentView = asItIs;
  #layer: DocumentView;
  #inForce: Json = null;

  constructor(view: DocumentView = asItIs, layer: DocumentView = asItIs) {
    this.#view = view;
    this.#layer = layer;
  }

  /** The threads' current document. */
  get inForce(): Json {
    return this.#inForce;
  }

  /** Returns the threads' document for a shared document. Unchanged subtrees stay identical. */
  of(document: Json, variant: DocumentView = this.#variant, layer: DocumentView = this.#layer): Json {
    const seen = layer(this.#view(variant(document)));
    return seen === document ? document : shareSubtrees(this.#inForce, seen);
  }

  /** Returns the result of {@link of} for a change, based on the operations of the change. A change may replace the transformations. */
  next(
    { before, after, operations }: EffectiveChange,
    { variant = this.#variant, layer = this.#layer }: Transformations = {},
  ): Effective {
    const made = variant ?? asItIs;
    const document = this.of(after, made, layer);
    const isOwn = document === after && this.#inForce === before;
    return { document, variant: made, layer, operations: isOwn ? operations : diff(this.#inForce, document) };
  }

  /** Records that the threads have switched. */
  commit({ document, variant, layer }: Effective): void {
    this.#inForce = document;
    this.#variant = variant;
    this.#layer = layer;
  }
}

function asItIs(document: Json): Json {
  return document;
}
