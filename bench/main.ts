import { parseArgs } from "node:util";
import type { Question } from "./question";
import { QUESTIONS } from "./questions";
import { type Answer, answerOf, describeMachine, failedAnswer, type Report, tableOf } from "./report";

// npm run -s bench -- [--json] [--only id,id] [--list]
// Never a test: a bound that is not kept is said, and the exit code stays 0. It is 1 when a question could not be measured.

const { values } = parseArgs({
  options: { json: { type: "boolean" }, only: { type: "string" }, list: { type: "boolean" } },
});
const asked = values.only?.split(",").filter((id) => id !== "") ?? Object.keys(QUESTIONS);
const unknown = asked.filter((id) => !Object.hasOwn(QUESTIONS, id));
const say = (line: string): void => void process.stderr.write(`${line}\n`);

if (unknown.length > 0) {
  say(`There is no question ${unknown.join(", ")}. There are ${Object.keys(QUESTIONS).join(", ")}.`);
  process.exitCode = 1;
} else if (values.list) {
  for (const id of asked) {
    const question = await load(id);
    process.stdout.write(`${id}: ${question.title}\n`);
  }
} else await answerAll();

async function answerAll(): Promise<void> {
  const report: Report = { machine: describeMachine(), answers: [] };
  for (const id of asked) {
    say(`${id} ...`);
    const answer = await ask(await load(id));
    report.answers.push(answer);
    if (answer.error !== null) process.exitCode = 1;
    if (!values.json) process.stdout.write(`${tableOf(answer)}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else {
    const missed = report.answers.filter((answer) => answer.kept === false).map((answer) => answer.id);
    process.stdout.write(missed.length === 0 ? "Every bound is kept.\n" : `Not kept: ${missed.join(", ")}.\n`);
  }
}

async function load(id: string): Promise<Question> {
  const found = await QUESTIONS[id]?.();
  if (!found) throw new Error(`there is no question ${id}`);
  return found.question;
}

async function ask(question: Question): Promise<Answer> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  try {
    return answerOf(question, await question.run(), seconds());
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : "something that is not an Error");
    return failedAnswer(question, error, seconds());
  }
}
