/** Proposed changes: tested when they are proposed, and made when another client approves them. In memory, in bounded number. */
import { getAt } from '@sluice/reconciler';
import { isObject, jsonEqual, parsePointer, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import { requestError } from '../errors.ts';

/** Maximum number of kept proposals. The oldest closed proposals are dropped first. */
const maxKept = 200;

/** Maximum number of open proposals. */
const maxOpen = 50;

/** `rolling_out`: approved, and served to a share of the clients. If the rollout is rolled back, the proposal is open again. */
export type ProposalState = 'open' | 'rolling_out' | 'applied' | 'withdrawn';

/** Title and reason that a client gives for its proposal. */
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
  /** Document that the proposal is based on. */
  readonly base: Json;
  /** Dry-run result, limited to the parts that the author may read. */
  readonly report: Json;
  state: ProposalState;
  /**
   * Name of the token that approved or withdrew the proposal, and the time in milliseconds since the Unix epoch; both `null` while the
   * proposal is open.
   */
  closedBy: string | null;
  closedAt: number | null;
  /** Revision that applied the proposal; `null` if the proposal was not applied. */
  revision: number | null;
  /** The last rollout in steps of the proposal, as in `GET /rollout`; `null` for none. */
  rollout: JsonObject | null;
}

function isClosed({ state }: Proposal): boolean {
  return state === 'applied' || state === 'withdrawn';
}

/** The proposals of a server. */
export class Proposals {
  readonly #proposals = new Map<number, Proposal>();
  #last = 0;

  /** Adds a proposal. Throws with status 503 if too many proposals are open. */
  add(made: Omit<Proposal, 'id' | 'at' | 'state' | 'closedBy' | 'closedAt' | 'revision' | 'rollout'>): Proposal {
    this.checkRoom();
    const open = { state: 'open', closedBy: null, closedAt: null, revision: null, rollout: null } as const;
    const proposal: Proposal = { ...made, ...open, id: ++this.#last, at: Date.now() };
    this.#proposals.set(proposal.id, proposal);
    for (const each of this.#proposals.values())
      if (this.#proposals.size > maxKept && isClosed(each)) this.#proposals.delete(each.id);
    return proposal;
  }

  /** Throws if the maximum number of proposals is open. */
  checkRoom(): void {
    const open = [...this.#proposals.values()].filter(({ state }) => state === 'open').length;
    if (open >= maxOpen)
      throw requestError(
        `${maxOpen} proposals are open: approve some, or withdraw some with DELETE /proposals/ID`,
        503,
      );
  }

  /** Returns all proposals, newest first. */
  all(): readonly Proposal[] {
    return [...this.#proposals.values()].toReversed();
  }

  /** Returns a proposal. Throws with status 404 if the proposal does not exist. */
  find(id: string): Proposal {
    const proposal = /^[1-9]\d{0,8}$/.test(id) ? this.#proposals.get(Number(id)) : undefined;
    if (proposal === undefined) throw requestError(`proposal ${JSON.stringify(id)} does not exist`, 404);
    return proposal;
  }

  /** Returns an open proposal. Throws with status 409 if the proposal is closed. */
  findOpen(id: string): Proposal {
    const proposal = this.find(id);
    if (proposal.state !== 'open') throw requestError(`proposal ${id} is ${proposal.state.replace('_', ' ')}`, 409);
    return proposal;
  }
}

/** Throws with status 409 if a value that the operations change has changed since the proposal: the report is outdated. */
export function checkStillApplies({ operations, base, id }: Proposal, document: Json): void {
  for (const { op, path } of operations) {
    const target = parsePointer(path);
    // Adding or removing an element moves other elements, so the whole array must be unchanged.
    const place = op === 'replace' ? target : containerOf(base, target);
    if (jsonEqual(getAt(base, place), getAt(document, place)) && isSamePlace(base, document, place)) continue;
    throw requestError(`proposal ${id} is outdated: ${path} has changed in the meantime; propose it again`, 409);
  }
}

/**
 * Reports whether a path leads to the same place in both documents: each array element on the path is equal, except for the target itself.
 * Otherwise, an element may have moved, and the position may now belong to another element.
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
