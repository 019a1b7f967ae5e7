/**
 * Proposed configuration changes. A change is tested when it is proposed, and applied when another client approves it. The number of
 * proposals is limited.
 */
import { createHash } from 'node:crypto';
import { getAt } from '@sluice/reconciler';
import { isObject, parsePointer, type ConfigPath, type Json } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import { shownSteps, type StepsState } from '@sluice/rollout';
import { requestError } from '../errors.ts';
import type { Proposal, ProposalStore } from '../proposal.ts';

/** Maximum number of stored proposals. The oldest closed proposals are removed first. */
const maxKept = 200;

/** Maximum number of open proposals. */
const maxOpen = 50;

function isClosed({ state }: Proposal): boolean {
  return state === 'applied' || state === 'withdrawn';
}

/** Stores and manages the proposals of a server. */
export class Proposals {
  readonly #proposals = new Map<number, Proposal>();
  readonly #store: ProposalStore | null;
  readonly #isSaved: () => boolean;
  readonly #lastRollout: () => Promise<StepsState | null>;
  #read: Promise<void> | null = null;
  #last = 0;

  /**
   * `isSaved` returns false while the configuration must not be saved. In this state, proposals are not saved either, because they contain
   * parts of the configuration. `lastRollout` returns the most recent rollout on this server.
   */
  constructor(
    store: ProposalStore | null = null,
    isSaved: () => boolean = () => true,
    lastRollout: () => Promise<StepsState | null> = () => Promise.resolve(null),
  ) {
    this.#store = store;
    this.#isSaved = isSaved;
    this.#lastRollout = lastRollout;
  }

  /** Loads the saved proposals on first use. */
  opened(): Promise<this> {
    this.#read ??= this.#open();
    return this.#read.then(() => this);
  }

  async #open(): Promise<void> {
    for (const each of (await this.#store?.read()) ?? []) {
      this.#proposals.set(each.id, each);
      this.#last = Math.max(this.#last, each.id);
      if (each.state === 'rolling_out') await this.#endRollout(each);
    }
  }

  /** Updates a proposal whose rollout was interrupted because the server process exited. */
  async #endRollout(proposal: Proposal): Promise<void> {
    const last = await this.#lastRollout();
    if (last !== null && last.change.id === proposal.rollout?.['id']) settle(proposal, last);
    else {
      proposal.state = 'open';
      const why = 'the server exited during the rollout';
      proposal.rollout = { ...proposal.rollout, state: 'taken_back', why };
    }
    await this.save(proposal);
  }

  /** Saves a proposal. Never rejects, because the store logs its own errors. */
  async save(proposal: Proposal): Promise<void> {
    if (this.#isSaved()) await this.#store?.save(proposal, [...this.#proposals.values()]);
  }

  /** Adds a proposal. Throws an error with status 503 if too many proposals are open. */
  add(made: Omit<Proposal, 'id' | 'at' | 'state' | 'closedBy' | 'closedAt' | 'revision' | 'rollout'>): Proposal {
    this.checkRoom();
    const open = { state: 'open', closedBy: null, closedAt: null, revision: null, rollout: null } as const;
    const proposal: Proposal = { ...made, ...open, id: ++this.#last, at: Date.now() };
    this.#proposals.set(proposal.id, proposal);
    for (const each of this.#proposals.values())
      if (this.#proposals.size > maxKept && isClosed(each)) this.#proposals.delete(each.id);
    return proposal;
  }

  /** Throws if the maximum number of open proposals is reached. */
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

  /** Returns a proposal by ID. Throws an error with status 404 if the proposal does not exist. */
  find(id: string): Proposal {
    const proposal = /^[1-9]\d{0,8}$/.test(id) ? this.#proposals.get(Number(id)) : undefined;
    if (proposal === undefined) throw requestError(`proposal ${JSON.stringify(id)} does not exist`, 404);
    return proposal;
  }

  /** Returns an open proposal by ID. Throws an error with status 409 if the proposal is closed. */
  findOpen(id: string): Proposal {
    const proposal = this.find(id);
    if (proposal.state !== 'open') throw requestError(`proposal ${id} is ${proposal.state.replace('_', ' ')}`, 409);
    return proposal;
  }
}

/** Records the result of a rollout. If the rollout was rolled back, the proposal can be approved again. */
export function settle(proposal: Proposal, rollout: StepsState): void {
  proposal.rollout = shownSteps(rollout);
  if (rollout.phase !== 'promoted') {
    proposal.state = 'open';
    return;
  }
  close(proposal, 'applied', rollout.change.by);
  proposal.revision = rollout.revision;
}

/** Closes a proposal. `by` is the name of the token that applied or withdrew the proposal. */
export function close(proposal: Proposal, state: 'applied' | 'withdrawn', by: string | null): void {
  proposal.state = state;
  proposal.closedBy = by;
  proposal.closedAt = Date.now();
}

/**
 * Throws an error with status 409 if the values that the operations affect have changed since the proposal was created. In this case, the
 * report is outdated.
 */
export function checkStillApplies({ operations, evidence, id }: Proposal, document: Json): void {
  for (const [i, now] of evidenceOf(operations, document).entries()) {
    if (now === evidence[i]) continue;
    const path = operations[i]?.path ?? '';
    throw requestError(`proposal ${id} is outdated: ${path} has changed in the meantime; propose it again`, 409);
  }
}

/**
 * Returns a digest of the values that each operation depends on. These are the target value and each array element on the path to the
 * target. The digest detects array elements that have moved to another position.
 */
export function evidenceOf(operations: readonly PatchOperation[], document: Json): string[] {
  return operations.map(({ op, path }) => {
    const target = parsePointer(path);
    // Adding or removing an array element moves other elements. The entire array must therefore be unchanged.
    const place = op === 'replace' ? target : containerOf(document, target);
    const hash = createHash('sha256').update(JSON.stringify([place, getAt(document, place) ?? 'absent']));
    for (const [i, key] of place.entries()) {
      const at = place.slice(0, i);
      if (i > 0 && Array.isArray(getAt(document, at.slice(0, -1))))
        hash.update(JSON.stringify(withoutMember(getAt(document, at), key) ?? null));
    }
    return hash.digest('base64url');
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
