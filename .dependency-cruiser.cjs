// Who may import whom (docs: README, "How it is laid out"). One row a folder; every folder may also import itself,
// lib/errors and lib/catalogue. A row lists what else; anything not listed is refused.
const MAY = {
  "lib/trajectory": [],
  "lib/redact": [],
  "lib/agreement": [],
  "lib/catalogue": [],
  "lib/archive": [],
  // Archives are opened before anyone asks whose they are (docs/decisions/0014).
  "lib/ingest": ["lib/trajectory", "lib/archive"],
  "lib/artefact": ["lib/trajectory"],
  "lib/folding": ["lib/trajectory"],
  "lib/judge": ["lib/trajectory", "lib/redact"],
  "lib/investigator": ["lib/trajectory", "lib/artefact", "lib/folding", "lib/judge"],
  "lib/evaluation": ["lib/trajectory", "lib/agreement", "lib/investigator/verdict"],
  "lib/findings": ["lib/trajectory", "lib/artefact", "lib/investigator", "lib/redact"],
  "lib/views": [
    "lib/trajectory",
    "lib/findings",
    "lib/investigator/verdict",
    "lib/investigator/diagnosis",
    "lib/investigator/failure-kinds",
    "lib/artefact/model",
    "lib/folding/shape",
  ],
  "lib/store": [
    "lib/trajectory",
    "lib/findings",
    "lib/views",
    "lib/redact",
    "lib/env",
    "lib/jobs",
    "lib/http",
    "lib/archive",
    "lib/artefact",
    "lib/investigator/verdict",
    "lib/investigator/diagnosis",
    // The log of calls is kept here.
    "lib/judge/recording",
    "lib/judge/port",
    // A share folds the masked text when it is read (docs/decisions/0009).
    "lib/folding",
  ],
  "lib/llm": ["lib/judge", "lib/env", "lib/views/model"],
  workers: ["lib"],
  app: [
    "lib/store",
    "lib/views",
    "lib/findings",
    "lib/trajectory",
    "lib/http",
    "lib/env",
    // The settings page asks whether the model answers (docs/decisions/0017).
    "lib/llm/model-state",
    "components",
  ],
  components: ["lib/views"],
};

const always = ["lib/errors", "lib/catalogue"];
const quote = (path) => path.replaceAll("/", "\\/");

const rows = Object.entries(MAY).map(([folder, allowed]) => ({
  name: `${folder.replace("/", "-")}-imports`,
  severity: "error",
  comment: `${folder} may import only itself, ${[...always, ...allowed].join(", ")}`,
  from: { path: `^${quote(folder)}/`, pathNot: "\\.test\\.tsx?$" },
  to: {
    path: "^(lib|app|bench|components|workers|bin|e2e|prisma)/",
    pathNot: [folder, ...always, ...allowed].map((path) => `^${quote(path)}(/|\\.ts|$)`),
  },
}));

module.exports = {
  forbidden: [
    ...rows,
    {
      name: "formats-are-islands",
      severity: "error",
      comment: "a format knows the adapter, safe-json and the schema; never another format",
      // A large format is split over formats/<format>.ts and files in formats/<format>/.
      from: { path: "^lib/ingest/formats/([^/.]+)[/.]", pathNot: "\\.test\\.ts$" },
      to: { path: "^lib/ingest/formats/", pathNot: "^lib/ingest/formats/$1[/.]" },
    },
    {
      name: "pure-core",
      severity: "error",
      comment: "trajectory to findings is pure: no Node, React, Next, Prisma, OpenAI",
      from: {
        path: "^lib/(trajectory|ingest|artefact|folding|judge|investigator|sage|debt|agreement|evaluation|findings|redact|views)/",
        pathNot: "\\.test\\.ts$|/test-support/",
      },
      to: {
        path: "^(node:)?(fs|path|child_process|http|https|net|os|crypto|process|react|react-dom|next|pg|openai)(/|$)|node_modules/(react|next|@prisma|pg|openai)/",
      },
    },
    {
      name: "one-model-door",
      severity: "error",
      comment: "only lib/llm talks to a model's endpoint",
      from: { pathNot: "^lib/llm/" },
      to: { path: "^openai(/|$)|node_modules/openai/" },
    },
    {
      name: "scopes-are-minted-at-the-gates",
      severity: "error",
      comment: "only the session, key, owner and share gates, the worker, tests and benchmarks make a scope",
      from: {
        pathNot:
          "^lib/store/(scope-mint|session|api-keys|owner|shares|test-[a-z-]+)\\.ts$|^workers/|^bench/|\\.test\\.ts$|^e2e/",
      },
      to: { path: "^lib/store/scope-mint\\.ts$" },
    },
    {
      name: "bin-launchers-stand-alone",
      severity: "error",
      comment: "start and test run before anything is installed",
      from: { path: "^bin/(start|test)\\.mjs$" },
      to: { dependencyTypes: ["npm", "npm-dev", "npm-optional"] },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "nobody-imports-the-edges",
      severity: "error",
      from: { path: "^(lib|app|components|workers)/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^(bin|e2e)/" },
    },
    {
      name: "nobody-imports-bench",
      severity: "error",
      comment: "benchmarks may use anything, and nothing uses them",
      from: { path: "^(lib|app|components|workers|bin|e2e|prisma)/" },
      to: { path: "^bench/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "lib/store/generated|\\.next" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
  },
};
