import { type RandomSource, seededRandom } from "@/lib/agreement/random";

const WORDS =
  "cache request handler parse field value index total retry queue worker header client schema record buffer token path module session offset result engine config signal window branch commit".split(
    " ",
  );
const NON_ASCII = [
  "naïve café über",
  "プロジェクトの設定を読み込みます",
  "проверка прошла успешно",
  "✓ ✗ → …",
  "😀 done 🚀",
];

/** Text in the manner of traces, the same for the same seed. */
export class SeededText {
  private readonly random: RandomSource;

  constructor(
    seed: number,
    /** The share of lines that hold something beyond ASCII, 0 to 1. */
    private readonly nonAscii = 0.02,
  ) {
    this.random = seededRandom(seed);
  }

  /** A whole number from 0 up to `below`, exclusive. */
  number(below: number): number {
    return (this.random() * 2 ** 32) % below;
  }

  word(): string {
    return WORDS[this.number(WORDS.length)] ?? "";
  }

  /** One line of source code, indented. */
  code(): string {
    const [a, b, c] = [this.word(), this.word(), this.word()];
    const indent = "    ".repeat(this.number(4));
    const forms = [
      `def ${a}_${b}(self, ${c}=None):`,
      `self.${a} = ${b}.get("${c}", ${this.number(10_000)})`,
      `if ${a} is not None and ${b} > ${this.number(100)}:`,
      `return [${a}.${b}(${c}) for ${c} in self.${a}s]`,
      `raise ValueError(f"${a} of {${b}} is not a ${c}: {self.${a}!r}")`,
      `# ${a} ${b} before ${c}`,
      "",
    ];
    return indent + (forms[this.number(forms.length)] ?? "") + this.beyondAscii("  # ");
  }

  /** One line of a tool's output. */
  log(): string {
    const [a, b, c] = [this.word(), this.word(), this.word()];
    const forms = [
      `tests/${a}/test_${b}.py::test_${c}_${this.number(900)} PASSED    [ ${this.number(100)}%]`,
      `2026-01-${10 + this.number(20)} 12:${10 + this.number(50)}:07,${this.number(999)} INFO ${a}.${b}: ${c} took ${this.number(5_000)} ms`,
      `src/${a}/${b}.py:${this.number(4_000)}: warning: "${c}" is defined but never used`,
      `  File "/usr/lib/python3/${a}.py", line ${this.number(2_000)}, in ${b}`,
      `\t${a}\t${b}\t${this.number(1_000_000)}\t${c}`,
    ];
    return (forms[this.number(forms.length)] ?? "") + this.beyondAscii(" ");
  }

  /** About `chars` characters in lines. */
  lines(chars: number, kind: "code" | "log"): string {
    const lines: string[] = [];
    for (let length = 0; length < chars; ) {
      const line = kind === "code" ? this.code() : this.log();
      lines.push(line);
      length += line.length + 1;
    }
    return lines.join("\n");
  }

  /** Some sentences in the manner of an agent that thinks aloud. */
  prose(sentences: number): string {
    const parts = Array.from(
      { length: sentences },
      () =>
        `The ${this.word()} of the ${this.word()} does not reach the ${this.word()}, so I'll look at "${this.word()}".`,
    );
    return parts.join(" ") + this.beyondAscii(" ");
  }

  private beyondAscii(before: string): string {
    if (this.number(10_000) >= this.nonAscii * 10_000) return "";
    return before + (NON_ASCII[this.number(NON_ASCII.length)] ?? "");
  }
}
