import {
  CircleDashed,
  FileText,
  FlaskConical,
  Info,
  Lightbulb,
  type LucideIcon,
  Pencil,
  Search,
  Send,
  SquareTerminal,
  Users,
} from "lucide-react";

interface ActivityLook {
  letter: string;
  word: string;
  icon: LucideIcon;
}

/** What a turn mainly does, as the strip's letters, the outline's icons and the words of the hover card say it. */
export const ACTIVITY_LOOKS: Record<string, ActivityLook> = {
  read: { letter: "r", word: "Read", icon: FileText },
  search: { letter: "s", word: "Search", icon: Search },
  write: { letter: "w", word: "Write", icon: Pencil },
  execute: { letter: "x", word: "Run", icon: SquareTerminal },
  test: { letter: "t", word: "Test", icon: FlaskConical },
  delegate: { letter: "d", word: "Delegate", icon: Users },
  submit: { letter: "m", word: "Submit", icon: Send },
  think: { letter: "k", word: "Think", icon: Lightbulb },
  other: { letter: "o", word: "Other", icon: CircleDashed },
};

const OTHER: ActivityLook = { letter: "o", word: "Other", icon: CircleDashed };
const BY_LETTER = new Map(Object.values(ACTIVITY_LOOKS).map((look) => [look.letter, look]));

/** The look of a letter of the strip's activity lane. */
export function lookOfLetter(letter: string | undefined): ActivityLook {
  return BY_LETTER.get(letter ?? "") ?? OTHER;
}

/** The icon of every row that is not a turn. */
export const ContextIcon: LucideIcon = Info;

const CONTEXT_WORDS: Record<string, string> = {
  system: "System prompt",
  task: "Task",
  demonstration: "Demonstration",
  person: "Person",
  injected: "Injected context",
  compaction: "Compaction",
  metadata: "Metadata",
  opaque: "Not understood",
};

/** What stands between turns, in words. */
export function contextWord(kind: string): string {
  return CONTEXT_WORDS[kind] ?? "Context";
}
