import { type Actor, type ProjectScope, rememberScope, type ShareScope } from "./scope";

// The import table lets only the gates (session.ts, owner.ts, shares.ts), the worker and tests import this file.

/** Makes a project scope. The caller has checked that the actor may act for the project. */
export function mintProjectScope(projectId: string, actor: Actor): ProjectScope {
  const scope = Object.freeze({ kind: "project", projectId, actor: Object.freeze({ ...actor }) } as const);
  rememberScope(scope);
  return scope as ProjectScope;
}

/** Makes a share scope. The caller has checked the token, its expiry and that it was not revoked. */
export function mintShareScope(fields: Omit<ShareScope, "kind" | keyof { [K in symbol]: never }>): ShareScope {
  const scope = Object.freeze({
    kind: "share" as const,
    shareId: fields.shareId,
    projectId: fields.projectId,
    trajectoryId: fields.trajectoryId,
    importId: fields.importId,
    analysisId: fields.analysisId,
    maskKey: fields.maskKey,
  });
  rememberScope(scope);
  return scope as ShareScope;
}
