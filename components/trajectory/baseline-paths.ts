const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;

/** True for names of archives that are unpacked; the server looks at the bytes, this is for the form alone. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE.test(name);
}

/**
 * Where in the repository a picked file belongs: the one file of the run whose path ends with the given name (which may
 * itself be a path, when a folder was picked), else the name as it is.
 * @param name the file's name, or its path inside the picked folder, with `/`.
 * @param known paths of the run's files, relative to the repository.
 */
export function suggestPath(name: string, known: readonly string[]): string {
  const parts = name.split("/");
  // A picked folder is often the repository itself, so shorter endings are tried too; the longest one that fits wins.
  for (let from = 0; from < parts.length; from += 1) {
    const ending = parts.slice(from).join("/");
    const fits = known.filter((path) => path === ending || path.endsWith(`/${ending}`));
    if (fits.length === 1) return fits[0] ?? name;
    if (fits.includes(ending)) return ending;
  }
  return name;
}
