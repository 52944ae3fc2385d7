import { AppError } from "@/lib/errors";
import { FIND_MAX_CHARS, type FindWords } from "@/lib/views/find";

/** The characters that mean something in a pattern. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/**
 * A pattern that finds the words as they are: everything in them is escaped, so that nothing of it is a pattern. Without
 * `matchCase`, letters are equal under Unicode's simple case folding, which pairs single characters: a match is as long
 * as the words and its offsets are those of the text, also where the lower or upper case of the text has another length
 * (`İ`, `ß`). So `ß` is found by `ẞ` and not by `ss`.
 * @throws AppError `bad_request` when the words are empty or longer than 200 UTF-16 units.
 */
export function finderOf({ words, matchCase }: FindWords): RegExp {
  if (words === "" || words.length > FIND_MAX_CHARS) {
    throw new AppError("bad_request", `What to find has 1 to ${FIND_MAX_CHARS} characters.`);
  }
  return new RegExp(words.toWellFormed().replaceAll(SYNTAX, "\\$&"), matchCase ? "gu" : "giu");
}
