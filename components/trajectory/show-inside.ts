/** The tabs at the top and the bar at the foot of a page of one column cover this much. */
const EDGE_PX = 60;

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
  if (place.top < EDGE_PX || place.bottom > window.innerHeight - EDGE_PX)
    element.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Scrolls a box sideways until an element in it can be seen. */
export function showAlong(box: HTMLElement | null, element: Element | null): void {
  if (box === null || element === null) return;
  const place = element.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  if (place.left < frame.left || place.right > frame.right) box.scrollLeft += place.left - frame.left - frame.width / 3;
}
