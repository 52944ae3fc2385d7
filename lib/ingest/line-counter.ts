/** Says which line (1-based) an offset is on, for offsets that grow: each byte is looked at once. */
export function lineCounter(bytes: Uint8Array): (offset: number) => number {
  let line = 1;
  let next = bytes.indexOf(0x0a);
  return (offset) => {
    while (next !== -1 && next < offset) {
      line++;
      next = bytes.indexOf(0x0a, next + 1);
    }
    return line;
  };
}
