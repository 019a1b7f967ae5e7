/**
 * The document as the threads have it. It is the engine's own, unless this machine makes another of it: a member of a fleet has
 * the document that all share, and what is laid over it for this machine alone.
 */
import type { Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import { diff } from '../document/diff.ts';
import { shareSubtrees } from '../document/share.ts';

/** Makes the document of this machine of the one that is shared. */
export type DocumentView = (document: Json) => Json;

/** What the threads are to have. */
export interface Effective {
  readonly document: Json;
  /** What makes it of what they have. */
  readonly operations: readonly PatchOperation[];
}

/** What the threads have, and what they are to have. */
export class EffectiveDocument {
  readonly #view: DocumentView;
  #inForce: Json = null;

  constructor(view: DocumentView = (document) => document) {
    this.#view = view;
  }

  /** What they are to have for a document. What is the same stays the very same node. */
  of(document: Json): Json {
    const seen = this.#view(document);
    return seen === document ? document : shareSubtrees(this.#inForce, seen);
  }

  /** The same, with how to get there; `operations` do that for the engine's own document, from `before`. */
  next(before: Json, after: Json, operations: readonly PatchOperation[]): Effective {
    const document = this.of(after);
    const isOwn = document === after && this.#inForce === before;
    return { document, operations: isOwn ? operations : diff(this.#inForce, document) };
  }

  /** They have it now. */
  commit(document: Json): void {
    this.#inForce = document;
  }
}
