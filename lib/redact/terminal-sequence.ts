/**
 * The position after the terminal sequence whose escape character stands at `start` (ECMA-48: CSI up to its final byte;
 * OSC, DCS, SOS, PM and APC up to BEL or ST; two characters otherwise). An unfinished one ends with its line.
 */
export function endOfTerminalSequence(text: string, start: number): number {
  const next = text.charCodeAt(start + 1);
  if (next === 0x5b) {
    let i = start + 2;
    while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) <= 0x3f) i += 1;
    const final = text.charCodeAt(i);
    return final >= 0x40 && final <= 0x7e ? i + 1 : i;
  }
  if (next === 0x5d || next === 0x50 || next === 0x58 || next === 0x5e || next === 0x5f) {
    for (let i = start + 2; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === 7) return i + 1;
      if (code === 27) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : i;
      if (code === 10) return i;
    }
    return text.length;
  }
  return Math.min(text.length, start + (next >= 0x30 && next <= 0x7e ? 2 : 1));
}
