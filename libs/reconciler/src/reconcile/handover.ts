/**
 * Components that a build keeps from the previous generation. The previous generation owns them until the commit, because the build may be
 * aborted.
 */
import type { Component, ListComponent } from './component.ts';

/** Ownership changes to apply at the commit. */
export class Handover {
  readonly #kept: [component: Component, owner: Component][] = [];
  readonly #lists: ListComponent[] = [];
  readonly #departures: [list: ListComponent, departed: readonly Component[]][] = [];

  keep(component: Component, parent: Component): void {
    this.#kept.push([component, parent]);
    parent.adopt(component);
  }

  /** Records that a list was filled. `made` contains the new elements. Until the commit, the list owns only these elements. */
  filled(list: ListComponent, made: readonly Component[]): void {
    list.departed = made;
    this.#lists.push(list);
  }

  /** Records a list that was replaced, and the elements that its replacement did not reuse. */
  replaced(list: ListComponent, departed: readonly Component[]): void {
    this.#departures.push([list, departed]);
  }

  commit(): void {
    for (const [component, owner] of this.#kept) component.owner = owner;
    for (const [list, departed] of this.#departures) list.departed = departed;
    for (const list of this.#lists) list.departed = null;
  }
}
