/** Sizes that pages name before an upload and routes enforce. Bytes are bytes of the upload, not of its content. */
export const UPLOAD_MAX_BYTES = 256 * 1024 * 1024;
/** Characters of one text that a turn's answer holds before it is cut into head and tail. */
export const TEXT_HEAD_CHARS = 6_000;
export const TEXT_TAIL_CHARS = 2_000;
/** Characters of one piece of a long text. */
export const TEXT_PIECE_CHARS = 65_536;
/** Characters of one side of a code view. */
export const CODE_SIDE_CHARS = 400_000;
/** Nesting of JSON in an upload; deeper files are refused with the position. */
export const JSON_MAX_DEPTH = 512;
/** Attached input of a run. */
export const BASELINE_MAX_BYTES = 64 * 1024 * 1024;
export const BASELINE_MAX_FILES = 20_000;
/** One text that a person gives about a failure, in UTF-8. */
export const GIVEN_TEXT_MAX_BYTES = 1024 * 1024;
