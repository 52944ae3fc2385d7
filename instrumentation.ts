import { watchDocuments } from "@/app/document-status";

/** Next calls this once in each server, before it listens. */
export function register(): void {
  watchDocuments();
}
