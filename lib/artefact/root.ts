import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { parsePatches } from "./patch";
import { endsWithPath, isAbsolute, resolvePath } from "./paths";

/**
 * The repository's folder: the first working directory that the trace names, unless the paths of the delivered patch
 * fit under another one. Null when it cannot be told.
 */
export function guessRoot(trajectory: Trajectory): string | null {
  const turns = turnsOf(trajectory);
  const named = turns.find((turn) => turn.state?.workingDirectory != null)?.state?.workingDirectory ?? null;
  const directory = named === null || !isAbsolute(named) ? null : resolvePath(named, null).shown;
  const patch = trajectory.deliveredPatch;
  const files = patch === null || patch === "" ? null : parsePatches(patch);
  if (files === null || files.length === 0) return directory;
  const paths = absolutePaths(trajectory);
  if (directory !== null && files.some((file) => paths.has(`${directory}/${file.newPath ?? file.oldPath ?? ""}`))) {
    return directory;
  }
  for (const file of files) {
    const relative = file.newPath ?? file.oldPath;
    if (relative === null || relative === "") continue;
    for (const path of paths) {
      if (path !== relative && endsWithPath(path, relative)) return path.slice(0, -relative.length - 1) || "/";
    }
  }
  return directory;
}

/** Absolute paths that calls and results of the trace name as paths. */
function absolutePaths(trajectory: Trajectory): Set<string> {
  const paths = new Set<string>();
  const add = (path: unknown): void => {
    if (typeof path === "string" && path.length < 4_096 && isAbsolute(path)) paths.add(resolvePath(path, null).shown);
  };
  for (const turn of turnsOf(trajectory)) {
    for (const item of turn.items) {
      if (item.kind === "result") {
        for (const file of [...item.reads, ...item.recorded]) add(file.path);
      }
      if (item.kind === "call" && item.arguments !== null) {
        for (const name of ["path", "file_path", "filePath", "filename"]) add(item.arguments[name]);
      }
    }
  }
  return paths;
}
