import { isObject, type JsonValue, stringMember } from "../../safe-json";

/** Who wrote a row of a history, and how: the orchestrator says in brackets whether it thinks or hands on. */
export interface Speaker {
  name: string;
  act: "says" | "thinks" | "hands_on" | "ends";
  /** True for the person who asks, and for nobody else. */
  isPerson: boolean;
}

const BRACKETS = /^(.{1,100}?) \((thought|termination condition|-> [^)]{1,100})\)/;
const PERSONS = new Set(["human", "user"]);

/** The author of a row: its `name`, because the role is only the side from which it is told; without one its role. */
export function speakerOf(row: JsonValue): Speaker | null {
  if (!isObject(row)) return null;
  const name = stringMember(row, "name");
  if (name !== null && name.trim() !== "") return { name, act: "says", isPerson: PERSONS.has(name.toLowerCase()) };
  const role = stringMember(row, "role");
  if (role === null || role.trim() === "") return null;
  const found = BRACKETS.exec(role);
  if (found === null) return { name: role, act: "says", isPerson: PERSONS.has(role.toLowerCase()) };
  const act = found[2] === "thought" ? "thinks" : found[2] === "termination condition" ? "ends" : "hands_on";
  return { name: found[1] ?? role, act, isPerson: false };
}

/** True for the terminal that runs the code of others; it has no model of its own. */
export function isTerminal(name: string): boolean {
  return /^computer[_ ]?terminal$/i.test(name);
}
