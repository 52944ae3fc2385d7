import { IngestError } from "@/lib/errors";
import type { FailureContext } from "@/lib/trajectory/schema";
import { type JsonValue, member, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { jsonOf, type TaskFolder } from "./folder";

type Check = FailureContext["verification"][number];

/** One check that a run made of a program, and the file that says how it came out. */
export interface FoundCheck {
  check: Check;
  where: string;
}

const CHECK = /^(regression_|execution_|review_p)(\w{1,20}?)(?:_t?(\d{1,4}))?\.json$/;

/**
 * What the files of a run say of its patches: whether tests that passed before still pass, how a reproducing test came out
 * on each program, and the reviewer's verdict; sorted by file. What cannot be read
 * leaves open how its check came out.
 * @param run how names begin that tell runs apart, or empty
 */
export function verificationIn(folder: TaskFolder, run: string): FoundCheck[] {
  const files = folder.all().map((file) => ({ file, name: file.path.slice(folder.path.length) }));
  const order = new Intl.Collator("en", { numeric: true });
  files.sort((a, b) => order.compare(a.name, b.name));
  return files.flatMap(({ file, name }) => {
    const [, kind, patch, test] = CHECK.exec(name) ?? [];
    if (kind === undefined || patch === undefined) return [];
    const check = checkOf(kind, patch, test ?? "", contentOf(file));
    return [{ check: { ...check, name: `${run}${check.name}` }, where: file.path }];
  });
}

function contentOf(file: HeldFile): JsonValue {
  try {
    return jsonOf(file).value;
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    return null;
  }
}

function checkOf(kind: string, patch: string, test: string, value: JsonValue): Check {
  if (kind === "regression_") {
    const passed = member(value, "no_additional_failure");
    return { name: `patch ${patch}, tests from before`, passed: typeof passed === "boolean" ? passed : null };
  }
  const program = patch === "EMPTY" ? "without a patch" : `patch ${patch}`;
  if (kind === "execution_") {
    const triggered = member(value, "triggered");
    const code = member(value, "returncode");
    return {
      name: `${program}, reproducing test ${test}`,
      passed: typeof triggered === "boolean" ? !triggered : null,
      detail: typeof code === "number" ? `exit code ${code}` : null,
    };
  }
  const said = stringMember(value, "patch-correct");
  const ofTest = stringMember(value, "test-correct");
  return {
    name: `${program}, review with test ${test}`,
    passed: said === "yes" ? true : said === "no" ? false : null,
    detail: ofTest === null ? null : `the test is correct: ${ofTest}`,
  };
}
