import type { CallItem } from "@/lib/trajectory/schema";

/** Reads a call's arguments without trusting their types; each answer is null when there is no such text or number. */
export class CallArguments {
  readonly #values: Map<string, unknown>;

  constructor(call: CallItem) {
    this.#values = new Map(Object.entries(call.arguments ?? {}));
  }

  /** The first of the named arguments that is a text. */
  text(...names: string[]): string | null {
    for (const name of names) {
      const value = this.#values.get(name);
      if (typeof value === "string") return value;
    }
    return null;
  }

  /** The first of the named arguments that is a whole number, also when it is written as text. */
  whole(...names: string[]): number | null {
    for (const name of names) {
      const value = this.#values.get(name);
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && /^\s*-?\d{1,9}\s*$/.test(value)) return Number(value);
    }
    return null;
  }

  /** Whether one of the named arguments says yes. */
  flag(...names: string[]): boolean {
    return names.some((name) => {
      const value = this.#values.get(name);
      return value === true || (typeof value === "string" && value.toLowerCase() === "true");
    });
  }

  /** The objects of a list argument; null when it is no list or holds something else. */
  objects(name: string): Map<string, unknown>[] | null {
    const value = this.#values.get(name);
    if (!Array.isArray(value)) return null;
    const out: Map<string, unknown>[] = [];
    for (const one of value) {
      if (typeof one !== "object" || one === null || Array.isArray(one)) return null;
      out.push(new Map(Object.entries(one)));
    }
    return out;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
}
