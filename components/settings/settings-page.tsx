"use client";

import { Check, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Command } from "@/components/shell/message-page";
import { TopBar, type TopBarProps } from "@/components/shell/top-bar";
import { timeAgo } from "@/components/tables/trajectory-table/cell-text";
import { fetchJson } from "@/components/trajectory/answers";
import { formatCount, formatDuration } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { type ModelCheck, type ModelView, modelViewSchema } from "@/lib/views/model";
import { adviceWords, answerWords, differences, priceWords } from "./model-words";

export interface SettingsPageProps {
  bar: Pick<TopBarProps, "project" | "account">;
  model: ModelView;
  /** When the page was made: milliseconds since the epoch. */
  madeAt: number;
}

/** What Misstep was started with: its settings are variables of its environment, and this page only shows them. */
export function SettingsPage({ bar, model, madeAt }: SettingsPageProps): ReactNode {
  return (
    <div className="flex min-h-full flex-col">
      <TopBar {...bar} current="settings" keys={[]} />
      <main className="w-full max-w-[960px] flex-1 px-4 pt-3 pb-8">
        <div className="mb-4 flex flex-wrap items-baseline gap-x-3 border-b border-line pb-3">
          <h1 className="text-20 font-semibold">Settings</h1>
          <p className="text-fg-2">Set by variables of the environment when Misstep is started; shown here.</p>
        </div>
        <ModelSection first={model} madeAt={madeAt} />
      </main>
    </div>
  );
}

/** The model: which, where, what was found when it was asked, or how to add one. */
export function ModelSection({ first, madeAt }: { first: ModelView; madeAt: number }): ReactNode {
  const [view, setView] = useState(first);
  const [now, setNow] = useState(madeAt);
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      setView(await fetchJson("/api/v1/model/probe", modelViewSchema, { method: "POST" }));
      setNow(Date.now());
    } catch (error) {
      toast(error instanceof Error ? error.message : "The model could not be checked.");
    } finally {
      setChecking(false);
    }
  };
  return (
    <section aria-labelledby="model">
      <div className="flex flex-wrap items-center gap-3 pb-2">
        <h2 id="model" className="flex-1 text-14 font-semibold">
          Model
        </h2>
        {view.problem === null && (
          <Button onClick={() => void check()} disabled={isChecking}>
            {isChecking ? "Asking the model…" : "Check the model"}
          </Button>
        )}
      </div>
      {view.problem !== null ? (
        <NoModel problem={view.problem} />
      ) : (
        <dl className="border-t border-line">
          <Row name="Endpoint">
            <UntrustedText text={view.host ?? ""} />
          </Row>
          {view.models.map((one) => (
            <Row key={one.role} name={one.role === "first" ? "Model" : "Second judge"}>
              <p className="mono text-fg">{one.name}</p>
              <p className="text-12 text-fg-3">
                {one.prices === null
                  ? "No price is set: costs are shown where the endpoint states them."
                  : `${priceWords(one.prices)} for a million tokens`}
              </p>
              <Found check={one.check} now={now} />
            </Row>
          ))}
          {view.limits !== null && <Limits limits={view.limits} />}
        </dl>
      )}
      <p className="max-w-[75ch] pt-3 text-12 text-fg-3">
        Before anything of a run is sent to a model, its secrets are masked. Nothing is sent until a person starts an
        investigation; the check sends a few words of its own.
      </p>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid grid-cols-[144px_minmax(0,1fr)] gap-x-4 border-b border-line py-2 narrow:grid-cols-1 narrow:gap-y-1">
      <dt className="text-fg-2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Limits({ limits }: { limits: NonNullable<ModelView["limits"]> }): ReactNode {
  return (
    <Row name="Limits">
      <p>
        {formatCount(limits.tokensPerDay)} tokens a day for this project{" "}
        <span className="mono text-12 text-fg-3">OPENAI_TOKENS_PER_DAY</span>
      </p>
      <p>
        {formatCount(limits.timeoutSeconds)} s for one answer{" "}
        <span className="mono text-12 text-fg-3">OPENAI_TIMEOUT_SECONDS</span>
      </p>
    </Row>
  );
}

/** The last check of a model. Its place says that there was none, so that what is below moves little. */
function Found({ check, now }: { check: ModelCheck | null; now: number }): ReactNode {
  if (check === null) return <p className="pt-1 text-fg-2">Not checked since Misstep was started.</p>;
  const when = timeAgo(check.at, now);
  const took = `${when === "now" ? "just now" : when}, took ${formatDuration(check.tookMs)}`;
  if (!check.ok) {
    return (
      <div role="status" className="pt-1">
        <p className="flex items-start gap-1.5 font-medium">
          <TriangleAlert aria-hidden strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-fg-2" />
          The model does not answer
        </p>
        <p>
          <UntrustedText text={check.message} /> {adviceWords(check.code)}
        </p>
        <p className="text-12 text-fg-3">Checked {took}</p>
      </div>
    );
  }
  const others = differences(check);
  return (
    <div role="status" className="pt-1">
      <p className="flex items-start gap-1.5 font-medium">
        <Check aria-hidden strokeWidth={2} className="mt-0.5 size-4 shrink-0 text-fg-2" />
        <span>
          Answers as <UntrustedText text={check.answeredAs} />
        </span>
      </p>
      <p>{answerWords(check)}</p>
      {others.map((words) => (
        <p key={words}>{words}</p>
      ))}
      <p className="text-12 text-fg-3">
        Checked {took}, {check.questions === 1 ? "1 question" : `${check.questions} questions`}
      </p>
    </div>
  );
}

const EXAMPLE = `OPENAI_API_KEY=... OPENAI_MODEL=... npm start`;
const LOCAL_EXAMPLE = `LLM_ALLOW_PRIVATE=1 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 \\
  OPENAI_API_KEY=none OPENAI_MODEL=... npm start`;

/** Why no model can be asked, what works without one, and how to add one. */
function NoModel({ problem }: { problem: NonNullable<ModelView["problem"]> }): ReactNode {
  const isMissing = problem.kind === "no_key";
  return (
    <div className="flex flex-col items-start gap-3 border-t border-line pt-3">
      <div className="max-w-[75ch]">
        <p className="font-medium">{isMissing ? "No model is configured" : "The model's settings do not work"}</p>
        {!isMissing && <p>{problem.message}</p>}
        <p className="text-fg-2">
          Runs are read, shown and searched, and the structural rule says where they went wrong. A model that reads the
          run as well can be any that speaks OpenAI’s chat completions: OpenAI, Azure, OpenRouter, LiteLLM, vLLM,
          Ollama.
        </p>
      </div>
      <p className="text-fg-2">Stop Misstep, and start it with a key and a model:</p>
      <Command>{EXAMPLE}</Command>
      <p className="text-fg-2">For a model on this machine or in a private network, say so and give its address:</p>
      <Command>{LOCAL_EXAMPLE}</Command>
      <p className="max-w-[75ch] text-12 text-fg-3">
        All variables stand in the README under “Settings”. A key is never shown, logged or stored by Misstep.
      </p>
    </div>
  );
}
