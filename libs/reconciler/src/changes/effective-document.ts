/**
 * The document as the threads have it. It is the reconciler's own, unless this machine makes another of it: a member of a fleet has
 * the document that all share, and what is laid over it for this machine alone.
 */
import type { Json } from '@sluice/base';
import type { PatchOperation, PreparedChange } from '@sluice/registry';
import { diff } from '../document/diff.ts';
import { shareSubtrees } from '../document/share.ts';

/** Makes the document of this machine of the one that is shared. */
export type DocumentView = (document: Json) => Json;

/** What the threads are to have. */
export interface Effective {
  readonly document: Json;
  /** What was made of the shared document first. */
  readonly variant: DocumentView;
  /** What makes it of what they have. */
  readonly operations: readonly PatchOperation[];
}

/** A change of the reconciler's own document. */
type EffectiveChange = Pick<PreparedChange, 'before' | 'after' | 'operations'>;

/** What the threads have, and what they are to have. */
export class EffectiveDocument {
  readonly #view: DocumentView;
  #variant: DocumentView = asItIs;
  #inForce: Json = null;

  constructor(view: DocumentView = asItIs) {
    this.#view = view;
  }

  /** What they have. */
  get inForce(): Json {
    return this.#inForce;
  }

  /** What they are to have for a document. What is the same stays the very same node. */
  of(document: Json, variant: DocumentView = this.#variant): Json {
    const seen = this.#view(variant(document));
    return seen === document ? document : shareSubtrees(this.#inForce, seen);
  }

  /** The same document with the operations that lead to it; those of the change apply to the reconciler's own document. A change may select another variant. */
  next({ before, after, operations }: EffectiveChange, variant: DocumentView | null = this.#variant): Effective {
    const made = variant ?? asItIs;
    const document = this.of(after, made);
    const isOwn = document === after && this.#inForce === before;
    return { document, variant: made, operations: isOwn ? operations : diff(this.#inForce, document) };
  }

  /** They have it now. */
  commit({ document, variant }: Effective): void {
    this.#inForce = document;
    this.#variant = variant;
  }
}

function asItIs(document: Json): Json {
  return document;
}
