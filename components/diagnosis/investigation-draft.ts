import { DEFAULT_SETTINGS, type InvestigationSettings, investigationSettingsSchema } from "@/lib/views/investigation";

/** The settings of an investigation while a person types them. */
export interface InvestigationDraft {
  withReference: boolean;
  secondJudge: boolean;
  votes: string;
  calls: string;
  tokens: string;
  seconds: string;
  /** Empty: no limit. */
  costUsd: string;
  singlePassTurns: string;
}

export const FIRST_DRAFT: InvestigationDraft = {
  withReference: DEFAULT_SETTINGS.withReference,
  secondJudge: DEFAULT_SETTINGS.secondJudge,
  votes: String(DEFAULT_SETTINGS.votes),
  calls: String(DEFAULT_SETTINGS.limits.calls),
  tokens: String(DEFAULT_SETTINGS.limits.tokens),
  seconds: String(DEFAULT_SETTINGS.limits.seconds),
  costUsd: "",
  singlePassTurns: String(DEFAULT_SETTINGS.singlePassTurns),
};

/** A number as a person types it; NaN, which no schema takes, where it is none. */
const numberOf = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

/** The settings that a draft stands for, or the names of its fields that cannot be used. */
export function settingsOf(draft: InvestigationDraft): { settings: InvestigationSettings | null; wrong: Set<string> } {
  const read = investigationSettingsSchema.safeParse({
    singlePassTurns: numberOf(draft.singlePassTurns),
    withReference: draft.withReference,
    votes: numberOf(draft.votes),
    secondJudge: draft.secondJudge,
    limits: {
      calls: numberOf(draft.calls),
      tokens: numberOf(draft.tokens),
      seconds: numberOf(draft.seconds),
      costUsd: draft.costUsd.trim() === "" ? null : numberOf(draft.costUsd),
    },
  });
  if (read.success) return { settings: read.data, wrong: new Set() };
  return { settings: null, wrong: new Set(read.error.issues.map(({ path }) => String(path.at(-1)))) };
}
