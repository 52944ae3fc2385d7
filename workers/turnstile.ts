/** Lets one piece of work through at a time; others wait in the order in which they came. */
export class Turnstile {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when everybody before is through, with what lets the next one through; calling that again does nothing. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = (): void => undefined;
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}
