/**
 * What git commands of a run did to what files can be brought back from. Until then the index and the last commit hold
 * what stood there before the run.
 */
export class RepositoryState {
  /** The index may hold something of the run. */
  staged = false;
  /** The last commit may not be the one from before the run. */
  committed = false;
  /** How many stashes lie on the stack, and the number of the newest. */
  #stashes: number[] = [];
  #last = 0;

  /** Puts a stash on the stack. Returns its number. */
  push(): number {
    this.#last += 1;
    this.#stashes.push(this.#last);
    return this.#last;
  }

  /** The newest stash, which `pop` also takes away; null when the run made none that is still there. */
  newest(takes: boolean): number | null {
    return (takes ? this.#stashes.pop() : this.#stashes.at(-1)) ?? null;
  }

  /** The same state, to be changed apart. */
  copy(): RepositoryState {
    const copy = new RepositoryState();
    copy.staged = this.staged;
    copy.committed = this.committed;
    copy.#stashes = [...this.#stashes];
    copy.#last = this.#last;
    return copy;
  }

  /** The stack is no longer what it was followed to be. */
  lose(): void {
    this.#stashes = [];
  }
}
