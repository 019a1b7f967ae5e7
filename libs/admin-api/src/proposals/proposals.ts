/** Proposed changes: tested when they are proposed, and made when another client approves them. In memory, in bounded number. */
import { getAt } from '@sluice/reconciler';
import { isObject, jsonEqual, parsePointer, type ConfigPath, type Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import { requestError } from '../errors.ts';

/** Maximum number of kept proposals. The oldest closed ones are dropped first. */
const maxKept = 200;

/** Maximum number of open proposals. */
const maxOpen = 50;

export type ProposalState = 'open' | 'applied' | 'withdrawn';

/** What a client proposes. */
export interface ProposalText {
  readonly title: string;
  readonly reason: string;
}

export interface Proposal extends ProposalText {
  readonly id: number;
  /** Name of the author's token; `null` if authentication is disabled. */
  readonly by: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly operations: readonly PatchOperation[];
  /** Document for which it was made. */
  readonly base: Json;
  /** Result of the dry run, limited to what the author may see. */
  readonly report: Json;
  state: ProposalState;
  /** Name of the token that approved or withdrew it, and when, in milliseconds since the Unix epoch; `null` while it is open. */
  closedBy: string | null;
  closedAt: number | null;
  /** Revision of the change that it became. */
  revision: number | null;
}

/** The proposals of a server. */
export class Proposals {
  readonly #proposals = new Map<number, Proposal>();
  #last = 0;

  /** Adds a proposal. Rejects it with status 503 if too many are open. */
  add(made: Omit<Proposal, 'id' | 'at' | 'state' | 'closedBy' | 'closedAt' | 'revision'>): Proposal {
    this.checkRoom();
    const open = { state: 'open', closedBy: null, closedAt: null, revision: null } as const;
    const proposal: Proposal = { ...made, ...open, id: ++this.#last, at: Date.now() };
    this.#proposals.set(proposal.id, proposal);
    for (const each of this.#proposals.values())
      if (this.#proposals.size > maxKept && each.state !== 'open') this.#proposals.delete(each.id);
    return proposal;
  }

  /** Throws if no more proposals can be opened. */
  checkRoom(): void {
    const open = [...this.#proposals.values()].filter(({ state }) => state === 'open').length;
    if (open >= maxOpen)
      throw requestError(`${maxOpen} proposals are open: approve or withdraw some with DELETE /proposals/ID`, 503);
  }

  /** Returns all proposals, newest first. */
  all(): readonly Proposal[] {
    return [...this.#proposals.values()].toReversed();
  }

  /** Returns a proposal. Throws with status 404 if there is none. */
  find(id: string): Proposal {
    const proposal = /^[1-9]\d{0,8}$/.test(id) ? this.#proposals.get(Number(id)) : undefined;
    if (proposal === undefined) throw requestError(`proposal ${JSON.stringify(id)} does not exist`, 404);
    return proposal;
  }

  /** Returns an open proposal. Throws with status 409 if it is closed. */
  findOpen(id: string): Proposal {
    const proposal = this.find(id);
    if (proposal.state !== 'open') throw requestError(`proposal ${id} is ${proposal.state}`, 409);
    return proposal;
  }
}

/**
 * Throws with status 409 if a value that the operations change is no longer what it was when they were proposed: the report then describes
 * another change.
 */
export function checkStillApplies({ operations, base, id }: Proposal, document: Json): void {
  for (const { op, path } of operations) {
    const target = parsePointer(path);
    // An added or removed element moves others, so the whole array must be the same.
    const place = op === 'replace' ? target : containerOf(base, target);
    if (jsonEqual(getAt(base, place), getAt(document, place)) && isSamePlace(base, document, place)) continue;
    throw requestError(`proposal ${id} is outdated: ${path} has changed since; propose it again`, 409);
  }
}

/**
 * Reports whether a path leads to the same place of both documents: each array element on the way is the same, except for the member that
 * the path leads to. Otherwise, an element may have moved, and the position is that of another one.
 */
function isSamePlace(base: Json, document: Json, place: ConfigPath): boolean {
  return place.every((key, i) => {
    const at = place.slice(0, i);
    if (i === 0 || !Array.isArray(getAt(base, at.slice(0, -1)))) return true;
    return jsonEqual(withoutMember(getAt(base, at), key), withoutMember(getAt(document, at), key));
  });
}

function withoutMember(value: Json | undefined, name: string | number): Json | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const { [name]: _, ...others } = value;
  return others;
}

function containerOf(base: Json, target: ConfigPath): ConfigPath {
  const parent = target.slice(0, -1);
  return Array.isArray(getAt(base, parent)) ? parent : target;
}
