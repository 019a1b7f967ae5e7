/**
 * The document as the threads use it. Usually it is the shared document. A fleet member can also have an overlay that
 * applies only to this machine.
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
  /** JSON Patch from the threads' current document. */
  readonly operations: readonly PatchOperation[];
}

/** A change to the shared document. */
type EffectiveChange = Pick<PreparedChange, 'before' | 'after' | 'operations'>;

/** The threads' current and next document. */
export class EffectiveDocument {
  readonly #view: DocumentView;
  #variant: DocumentView = asItIs;
  #inForce: Json = null;

  constructor(view: DocumentView = asItIs) {
    this.#view = view;
  }

  /** The threads' current document. */
  get inForce(): Json {
    return this.#inForce;
  }

  /** Returns the threads' document for a shared document. Unchanged subtrees stay identical. */
  of(document: Json, variant: DocumentView = this.#variant): Json {
    const seen = this.#view(variant(document));
    return seen === document ? document : shareSubtrees(this.#inForce, seen);
  }

  /** Like {@link of}, with the operations that lead to the result. A change may select another variant. */
  next({ before, after, operations }: EffectiveChange, variant: DocumentView | null = this.#variant): Effective {
    const made = variant ?? asItIs;
    const document = this.of(after, made);
    const isOwn = document === after && this.#inForce === before;
    return { document, variant: made, operations: isOwn ? operations : diff(this.#inForce, document) };
  }

  /** Records that the threads have switched. */
  commit({ document, variant }: Effective): void {
    this.#inForce = document;
    this.#variant = variant;
  }
}

function asItIs(document: Json): Json {
  return document;
}
