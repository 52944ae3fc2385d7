import { foldParts } from "@/lib/folding/fold";
import { gapsOf, renderParts } from "@/lib/folding/render";
import type { MaskedTrajectory, TextRange } from "@/lib/judge/masked";
import { type ContextItem, type Entry, type Item, type Trajectory, type Turn, turnsOf } from "@/lib/trajectory/schema";
import type { TextField } from "@/lib/trajectory/texts";
import type { Quotation } from "../verdict";

/** Words of what stands between turns that are shown with it; the rest is asked for. */
const SHOWN_WHOLE = new Set<ContextItem["contextKind"]>(["person", "compaction", "injected"]);
const CONTEXT_MAX_CHARS = 4_000;

/** A text that was made for a model, with what it leaves out. */
export interface Shown {
  text: string;
  foldedChars: number;
  foldedObservations: number;
}

/**
 * A trajectory as the investigator reads it. Turns are counted from 1 (`#1`), as on the page. Thoughts, messages and calls
 * stand whole, observations folded by parts with the lines that `cited` quotes kept. A turn has a line with its number, an
 * item the shortest mark that says what it is (questions.ts explains them): none is longer than its text needs.
 */
export class TraceView {
  readonly turns: readonly Turn[];
  private whole: Shown | null = null;
  private readonly cited = new Map<string, { start: number; end: number }[]>();

  constructor(
    private readonly trajectory: Trajectory,
    private readonly masked: MaskedTrajectory,
    cited: readonly Quotation[],
    /** True: nothing is folded, to measure what folding brings. */
    readonly isUnfolded = false,
  ) {
    this.turns = turnsOf(trajectory);
    for (const quotation of cited) this.cite(quotation);
  }

  /** The whole trajectory, folded: made once, for every vote begins with it. */
  folded(): Shown {
    this.whole ??= this.fold();
    return this.whole;
  }

  private fold(): Shown {
    const shown: Shown = { text: "", foldedChars: 0, foldedObservations: 0 };
    const parts = this.trajectory.entries.map((entry) => this.entryText(entry, shown));
    shown.text = parts.join("\n");
    return shown;
  }

  /** Characters of the whole trajectory as it is. */
  wholeChars(): number {
    const sizes = this.trajectory.entries.map((entry) =>
      entry.kind === "turn" ? this.turnText(entry, null) : entry.text,
    );
    return sizes.reduce((sum, { length }) => sum + length, 0);
  }

  /** Turns `from` to `to` (0-based, inclusive), folded. */
  foldedTurns(from: number, to: number): Shown {
    const shown: Shown = { text: "", foldedChars: 0, foldedObservations: 0 };
    shown.text = this.turns
      .slice(from, to + 1)
      .map((turn) => this.turnText(turn, shown))
      .join("\n");
    return shown;
  }

  /** One turn with its observations whole, and the ranges of that text which `folded` leaves out. */
  wholeTurn(index: number): { text: string; folded: TextRange[] } | null {
    const turn = this.turns[index];
    if (turn === undefined) return null;
    let text = `#${turn.index + 1}`;
    const folded: TextRange[] = [];
    for (const item of turn.items) {
      const shown = this.itemText(item, null);
      text += `\n${shown}`;
      if (item.kind !== "result" || this.isUnfolded) continue;
      const observed = this.text(item, "text") ?? "";
      const from = text.length - observed.length;
      const gaps = gapsOf(foldParts(observed, this.cited.get(item.id) ?? []));
      folded.push(...gaps.map(({ start, end }) => ({ start: from + start, end: from + end })));
    }
    return { text, folded };
  }

  /** True when the folded trajectory has more than so many characters; folds it only where that has to be known. */
  isLongerThan(chars: number): boolean {
    let unfolded = 0;
    for (const { items } of this.turns) {
      for (const item of items) {
        if (item.kind !== "result") unfolded += this.itemText(item, null).length;
        if (unfolded > chars) return true;
      }
    }
    return this.folded().text.length > chars;
  }

  /** What stands between turns, by its identifier. */
  context(id: string): string | null {
    const found = this.trajectory.entries.find((entry) => entry.kind === "context" && entry.id === id);
    return found?.kind === "context" ? this.masked.contextText(found).text : null;
  }

  private entryText(entry: Entry, shown: Shown): string {
    return entry.kind === "turn" ? this.turnText(entry, shown) : this.contextText(entry);
  }

  private contextText(context: ContextItem): string {
    const { text } = this.masked.contextText(context);
    const whole = `[${context.contextKind}]\n${text}`;
    if (SHOWN_WHOLE.has(context.contextKind) && text.length <= CONTEXT_MAX_CHARS) return whole;
    const pointer = `[${context.contextKind}: ${text.length} characters. Call view_observation with ${context.id} to read them.]`;
    return pointer.length < whole.length ? pointer : whole;
  }

  /** `shown` null: nothing is folded. */
  private turnText(turn: Turn, shown: Shown | null): string {
    return [`#${turn.index + 1}`, ...turn.items.map((item) => this.itemText(item, shown))].join("\n");
  }

  private itemText(item: Item, shown: Shown | null): string {
    switch (item.kind) {
      case "call":
        return `> ${item.tool}\n${this.text(item, "text") ?? this.text(item, "arguments") ?? ""}`;
      case "result":
        return `<\n${this.observation(item, shown)}`;
      case "thought":
        return this.text(item, "text") ?? "";
      case "message":
        return `= ${this.text(item, "text") ?? ""}`;
      default:
        return `${item.kind}: ${this.text(item, "text") ?? ""}`;
    }
  }

  private observation(item: Item, shown: Shown | null): string {
    const text = this.text(item, "text") ?? "";
    if (shown === null || this.isUnfolded) return text;
    const fold = foldParts(text, this.cited.get(item.id) ?? []);
    const kept = fold.kept.reduce((sum, { start, end }) => sum + end - start, 0);
    if (kept === text.length) return text;
    shown.foldedChars += text.length - kept;
    shown.foldedObservations += 1;
    return renderParts(text, fold, item.id);
  }

  private text(item: Item, field: TextField): string | null {
    return this.masked.textOf(item, field)?.text ?? null;
  }

  private cite({ item: id, turn, field, start, end }: Quotation): void {
    const item = turn === null ? undefined : this.turns[turn]?.items.find((each) => each.id === id);
    if (item?.kind !== "result" || field !== "text") return;
    const range = this.masked.textOf(item, "text")?.maskedRange({ start, end });
    if (range !== undefined) this.cited.set(id, [...(this.cited.get(id) ?? []), range]);
  }
}
