import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { BrokenPage } from "@/components/shell/broken-page";
import { logFailure } from "@/lib/http";
import { setDocumentStatus } from "./document-status";

/**
 * What a page shows: what `draw` makes; `missing` with status 404 when it makes null; and when it throws, the page that says
 * so, with status 500 and the number under which the log has the cause. The framework's own way out of a page (`notFound`,
 * a thrown error) answers with an empty document, which the browser has to fill and then to style. Redirects go through.
 */
export async function drawPage(missing: ReactNode, draw: () => Promise<ReactNode | null>): Promise<ReactNode> {
  try {
    const page = await draw();
    if (page !== null) return page;
    setDocumentStatus(404);
    return missing;
  } catch (error) {
    unstable_rethrow(error);
    const number = logFailure(error);
    setDocumentStatus(500);
    return <BrokenPage by={{ where: "server", number }} />;
  }
}
