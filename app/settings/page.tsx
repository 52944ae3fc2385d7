import type { Metadata } from "next";
import type { ReactNode } from "react";
import { SettingsPage } from "@/components/settings/settings-page";
import { modelView } from "@/lib/llm/model-state";
import { getBar } from "@/lib/store/projects";
import { requireProject } from "@/lib/store/session";
import { drawPage } from "../drawn-page";

export const metadata: Metadata = { title: "Settings" };

/** What Misstep was started with, as far as a person needs to know it. */
export default function Settings(): Promise<ReactNode> {
  return drawPage(null, async () => {
    const scope = await requireProject();
    return <SettingsPage bar={await getBar(scope)} model={modelView()} madeAt={Date.now()} />;
  });
}
