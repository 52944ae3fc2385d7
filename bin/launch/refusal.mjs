/**
 * Why the launcher will not go on, in one sentence that says what to do. It is shown without a stack, and the launcher
 * exits with `exitCode`.
 */
export class Refusal extends Error {
  /**
   * @param {string} sentence what is wrong and the way out
   * @param {{ details?: string, cause?: unknown }} [more] `details`: the words of the program that failed, shown above the sentence
   */
  constructor(sentence, { details = "", cause } = {}) {
    super(sentence, { cause });
    this.name = "Refusal";
    this.details = details;
    this.exitCode = 1;
  }
}

/**
 * Turns an error of the file system into a refusal that names the disk or the folder; any other error is given back.
 * @param {unknown} error
 * @param {string} folder the folder that was written to
 * @returns {unknown}
 */
export function refusalOfFileError(error, folder) {
  const code = /** @type {{ code?: string }} */ (error)?.code;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Refusal(
      `The disk that holds ${folder} is full: free some space, or set MISSTEP_DATA_DIR to another disk.`,
      {
        cause: error,
      },
    );
  if (code === "EEXIST" || code === "ENOTDIR")
    return new Refusal(`${folder} is a file, not a folder: set MISSTEP_DATA_DIR to a folder of yours.`, {
      cause: error,
    });
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new Refusal(`${folder} cannot be written (${code}): set MISSTEP_DATA_DIR to a folder of yours.`, {
      cause: error,
    });
  return error;
}

const BROKEN = /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (module|package)/;

/**
 * The sentence for packages that are there by name but not whole; null when the words tell of something else.
 * @param {string} words of a program, or of an error with its code
 * @returns {string | null}
 */
export function sentenceOfBrokenPackages(words) {
  return BROKEN.test(words)
    ? "The installed packages are broken: delete the folder node_modules and start again."
    : null;
}
