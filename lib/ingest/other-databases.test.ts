import { expect, it } from "vitest";
import { ingest } from "./ingest";
import { prepareSource } from "./prepare-source";
import { databaseOf } from "./test-support/test-database";

const refusal = async (...statements: string[]): Promise<unknown> => {
  const source = await prepareSource({ name: "x.db", bytes: await databaseOf(...statements) });
  try {
    return ingest(source);
  } catch (error) {
    return error;
  }
};

it.each([
  ["Goose", ["CREATE TABLE sessions (a)", "CREATE TABLE messages (a)"]],
  ["opencode", ["CREATE TABLE session (a)", "CREATE TABLE message (a)", "CREATE TABLE part (a)"]],
])("a database of another agent is refused by its name: %s", async (name, statements) => {
  const message = expect.stringContaining(name);
  expect(await refusal(...statements)).toMatchObject({ code: "unsupported_format", message });
});

it("a database of something else is no trace", async () => {
  expect(await refusal("CREATE TABLE invoices (a)")).toMatchObject({ code: "not_a_trace" });
});
