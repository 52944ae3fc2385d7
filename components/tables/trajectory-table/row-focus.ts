/**
 * Moves the keyboard to the next or previous row of the list and returns its link, or null at the end. Without a row in
 * focus the first one (or the last, going up) is taken. The focus itself is the selection: Enter opens the link.
 */
export function nextRow(container: HTMLElement | null, step: 1 | -1): HTMLElement | null {
  const links = [...(container?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement) ?? false);
  const next = at === -1 ? (step === 1 ? links[0] : links.at(-1)) : links[at + step];
  if (next === undefined) return null;
  next.focus({ preventScroll: true });
  next.closest("tr")?.scrollIntoView({ block: "nearest" });
  return next;
}
