import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { type Answer, completionOf } from "./answers";
import { refusalOf, STANDARD, type Style } from "./styles";

/**
 * A scripted model behind the real chat-completions protocol, over real HTTP on this machine. For tests only.
 *
 * A question goes to the script whose marker stands somewhere in its messages (put the marker into the task of a trace), and
 * is the n-th question of that script: its answer is the n-th of a list, or what a function makes of the question. Questions
 * without a script, questions beyond the end of a list, and expectations that do not hold are answered with 500 and kept in
 * `violations`: a test ends by expecting that to be empty. A `style` makes the server behave as a known one does; then an
 * answer's calls are written in the way in which the question asked for them: tool calls, JSON, or a block in the text.
 * The probe of the settings page is answered by itself, and is kept apart in `probes`.
 */
export interface ModelServer {
  /** The base URL, with the path that endpoints usually have. */
  baseUrl: string;
  /** Every question but the probe's, in the order of arrival. */
  asked: Asked[];
  probes: Asked[];
  violations: string[];
  /** Questions whose connection ended before they were answered: whoever asked gave up, or the script says so. */
  abandoned: Asked[];
  /** Changes how it behaves from the next question on. */
  setStyle(style: Partial<Style>): void;
  close(): Promise<void>;
}

/** A question as it came over the wire. */
export interface Asked {
  /** 0-based, over all questions. */
  n: number;
  script: string | null;
  /** 0-based, among the questions of its script. */
  turn: number;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  model: string;
  messages: { role: string; text: string }[];
  /** Names of the tools that are offered; described in words, none. */
  tools: string[];
  /** The tool that has to be called; null when the choice is free. */
  forced: string | null;
  /** Everything that the model could read, as one text. */
  text: string;
}

export interface Expectation {
  tools?: string[];
  forced?: string | null;
  contains?: string[];
  lacks?: string[];
}

export interface Script {
  name: string;
  /** Stands in the messages of its questions and of no others. */
  marker: string;
  answers: (Answer & { expects?: Expectation })[] | ((asked: Asked) => Answer);
  /** Holds for every question of the script. */
  expects?: Expectation;
}

interface Options {
  style?: Partial<Style>;
  /** 0: any free one. */
  port?: number;
  /** Never to be seen in any question, such as planted secrets. */
  forbidden?: string[];
}

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown(), tool_calls: z.unknown().optional() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
  tool_choice: z.union([z.string(), z.object({ function: z.object({ name: z.string() }) })]).optional(),
});

export async function startModelServer(scripts: Script[], options: Options = {}): Promise<ModelServer> {
  let style: Style = { ...STANDARD, ...options.style };
  const [asked, probes, violations]: [Asked[], Asked[], string[]] = [[], [], []];
  const abandoned: Asked[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const question = readQuestion(request, await textOf(request), asked.length + probes.length);
    if (question === null) {
      violations.push(`${request.method} ${request.url} is no chat completion`);
      sendJson(response, 404, { error: { message: "no such address" } });
      return;
    }
    const refusal = refusalOf(question.body, style);
    if (refusal !== null) {
      sendJson(response, refusal.status, { error: refusal.error });
      return;
    }
    if (isProbe(question)) {
      probes.push(question);
      send(response, probeAnswer(question, style), question, style);
      return;
    }
    for (const word of options.forbidden ?? []) {
      if (question.text.includes(word)) violations.push(`question ${question.n} holds a forbidden string`);
    }
    const script = scripts.find(({ marker }) => question.text.includes(marker));
    question.script = script?.name ?? null;
    question.turn = asked.filter((one) => one.script === question.script).length;
    asked.push(question);
    response.once("close", () => response.writableFinished || abandoned.push(question));
    const next = script === undefined ? undefined : answerOf(script, question, violations);
    if (next === undefined) violations.push(`question ${question.n} (${question.script ?? "no script"}) has no answer`);
    send(response, next ?? { status: 500, error: { message: "the script has no answer" } }, question, style);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    probes,
    violations,
    abandoned,
    setStyle: (changed) => {
      style = { ...STANDARD, ...changed };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf(script: Script, question: Asked, violations: string[]): Answer | undefined {
  const step = typeof script.answers === "function" ? script.answers(question) : script.answers[question.turn];
  const own = step !== undefined && "expects" in step ? step.expects : undefined;
  for (const expected of [script.expects, own]) {
    for (const wrong of wrongIn(question, expected ?? {})) {
      violations.push(`${script.name}, question ${question.turn}: ${wrong}`);
    }
  }
  return step;
}

function wrongIn(question: Asked, expected: Expectation): string[] {
  const wrong: string[] = [];
  const { tools, forced, contains = [], lacks = [] } = expected;
  if (tools !== undefined && tools.join() !== question.tools.join()) wrong.push(`tools are ${question.tools.join()}`);
  if (forced !== undefined && forced !== question.forced) wrong.push(`the forced tool is ${question.forced}`);
  for (const text of contains) if (!question.text.includes(text)) wrong.push(`lacks ${JSON.stringify(text)}`);
  for (const text of lacks) if (question.text.includes(text)) wrong.push(`holds ${JSON.stringify(text)}`);
  return wrong;
}

function readQuestion(request: IncomingMessage, text: string, n: number): Asked | null {
  const url = new URL(request.url ?? "/", "http://model.test");
  if (request.method !== "POST" || !url.pathname.endsWith("/chat/completions")) return null;
  const raw: unknown = JSON.parse(text);
  const body = bodySchema.parse(raw);
  const messages = body.messages.map(({ role, content, tool_calls: calls }) => ({
    role,
    text: `${typeof content === "string" ? content : ""}${calls === undefined ? "" : JSON.stringify(calls)}`,
  }));
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    n,
    script: null,
    turn: 0,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    body: z.record(z.string(), z.unknown()).parse(raw),
    model: body.model,
    messages,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    forced: typeof body.tool_choice === "object" ? body.tool_choice.function.name : null,
    text: messages.map((message) => message.text).join("\n"),
  };
}

/** The words and the tool of lib/llm/probe.ts. */
function isProbe({ text, tools }: Asked): boolean {
  return tools.join() === "misstep_probe" || text.includes("misstep_probe");
}

function probeAnswer(question: Asked, style: Style): Answer {
  const calls = [{ name: "misstep_probe", arguments: { word: "ready" } }];
  const isTold = question.text.includes("Call misstep_probe") || question.text.includes("has to call misstep_probe");
  const isForced = question.body.tool_choice !== "auto" && question.tools.length > 0 && style.forcing !== "ignored";
  if (question.tools.length > 0 && style.tools === "ignored") return { text: "Hello! How can I help?" };
  return isForced || isTold ? { calls } : { text: "Hello! How can I help?" };
}

function send(response: ServerResponse, answer: Answer, question: Asked, style: Style): void {
  if ("fault" in answer) sendFault(response, answer.fault);
  else if ("redirect" in answer) response.writeHead(302, { location: answer.redirect }).end();
  else if ("body" in answer) {
    response.writeHead(200, { "content-type": answer.contentType ?? "application/json" }).end(answer.body);
  } else if ("status" in answer) sendJson(response, answer.status, { error: answer.error ?? {} }, answer.headers);
  else {
    const about = {
      n: question.n,
      model: question.model,
      usesTools: question.tools.length > 0,
      isJson: "response_format" in question.body,
    };
    sendJson(response, 200, completionOf(answer, about, style));
  }
}

function sendFault(response: ServerResponse, fault: "hang" | "reset" | "cut"): void {
  if (fault === "hang") return; // until the client or `close` ends it
  if (fault === "reset") {
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
  response.write('{"choices":[{"message":{"content":"the beginning of', () => response.destroy());
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
