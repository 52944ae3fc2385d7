/** The bar at the foot of a page of one column covers this much, the tabs at its top at least as much. */
const EDGE_PX = 60;

/** Where the tabs of a page of one column end, with the field of finding while that is open. */
function topEdgePx(): number {
  return Math.max(EDGE_PX, document.querySelector("[data-sticky]")?.getBoundingClientRect().bottom ?? 0);
}

/**
 * Brings an element to the middle of the nearest box that scrolls, without moving the boxes around it. Where the page
 * itself scrolls (one column), it moves only when the element is out of sight.
 */
export function showInside(element: Element | null): void {
  if (element === null) return;
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    const overflow = getComputedStyle(box).overflowY;
    if (overflow !== "auto" && overflow !== "scroll") continue;
    if (box === document.documentElement || box === document.body) break;
    const place = element.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    box.scrollTop += place.top - frame.top - (frame.height - place.height) / 2;
    return;
  }
  const place = element.getBoundingClientRect();
  if (place.top < topEdgePx() || place.bottom > window.innerHeight - EDGE_PX)
    element.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Scrolls a box sideways until an element in it can be seen. */
export function showAlong(box: HTMLElement | null, element: Element | null): void {
  if (box === null || element === null) return;
  const place = element.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  if (place.left < frame.left || place.right > frame.right) box.scrollLeft += place.left - frame.left - frame.width / 3;
}
