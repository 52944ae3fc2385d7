import { Refused } from "./commands/refused";

/**
 * The command line. Each command lives in a file of bin/commands and is loaded only when it is asked for: reading a file
 * needs no database, and printing a link needs no parser.
 */
const COMMANDS: Record<string, { usage: string; load: () => Promise<(args: string[]) => Promise<void>> }> = {
  inspect: {
    usage:
      "inspect FILE [--part KEY] [--json] [--full]   what Misstep reads in a trace, a row each when it holds several\n" +
      "  inspect --all DIR [--json]                    a row for every file and trajectory of a folder, and totals",
    load: async () => (await import("./commands/inspect")).inspect,
  },
  localize: {
    usage: "localize FILE [--part KEY] [--json]           where the structural rule says that the run went wrong",
    load: async () => (await import("./commands/localize")).localize,
  },
  evaluate: {
    usage:
      "evaluate FILE --engine ENGINE [--json]        how often an engine finds the labelled step of a labelled set;\n" +
      "    engines: structural, learned, random; [--reference] shows it the right answer, [--runs N] takes the mean of runs,\n" +
      "    [--labels FILE] takes labels that stand in a file of their own (AgentRx, CodeTraceBench),\n" +
      "    [--scores OUT.json] writes what it says about every turn",
    load: async () => (await import("./commands/evaluate")).evaluate,
  },
  train: {
    usage: "train FILE --out WEIGHTS.json                 learns the weights of the ranker from labelled failures",
    load: async () => (await import("./commands/train")).train,
  },
  upload: {
    usage:
      "upload FILE... --token TOKEN [--url URL]   sends traces to a running Misstep; [--outcome failed|resolved] and files " +
      "with texts (--task, --error-report, --test-code, --reference-patch) say what is known about the failure",
    load: async () => (await import("./commands/upload")).upload,
  },
  link: {
    usage: "link                             makes a one-time sign-in link",
    load: async () => (await import("./commands/link")).link,
  },
  token: {
    usage: "token [NAME]                     makes an API key for scripts",
    load: async () => (await import("./commands/token")).token,
  },
  seed: {
    usage: "seed                             adds the demo trajectories (once)",
    load: async () => (await import("./commands/seed")).seed,
  },
};

async function main([name = "", ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (name === "--help" || name === "help") {
    const lines = Object.values(COMMANDS).map(({ usage }) => `  ${usage}`);
    process.stdout.write(`npm run -s misstep -- COMMAND\n\n${lines.join("\n")}\n`);
    return;
  }
  if (!command)
    throw new Refused(`Unknown command ${JSON.stringify(name)}: one of ${Object.keys(COMMANDS).join(", ")}.`);
  await (await command.load())(args);
}

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { reasonOf } = await import("./commands/refused");
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 2;
}
