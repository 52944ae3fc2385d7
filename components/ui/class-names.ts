import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Our type sizes and radii are named by pixels; without this `text-12` would be taken for a colour.
const merge = extendTailwindMerge({
  extend: { theme: { text: ["12", "13", "14", "16", "20"], radius: ["1", "2", "4", "6"] } },
});

/** Joins class names; of two that set the same thing the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
