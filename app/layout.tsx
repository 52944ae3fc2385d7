import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Theme } from "@/components/shell/theme";
import { Toaster } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import { monoLatin, monoWhole, sansLatin, sansWhole } from "./fonts/fonts";
import "./globals.css";

const FONTS = [sansLatin, sansWhole, monoLatin, monoWhole].map((font) => font.variable).join(" ");

export const metadata: Metadata = {
  title: { default: "Misstep", template: "%s · Misstep" },
  description: "Trajectory forensics for coding agents",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f8f9" },
    { media: "(prefers-color-scheme: dark)", color: "#16181c" },
  ],
};

/** The document around every page: fonts, theme (set before first paint by a script with the CSP nonce), toasts. */
export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // next-themes sets data-theme on <html> before React runs.
    <html lang="en" className={FONTS} suppressHydrationWarning>
      {/* A page that breaks while it is drawn comes without its stylesheet: the body must not move when that comes. */}
      <body style={{ margin: 0 }}>
        <Theme nonce={nonce}>
          <TooltipProvider>{children}</TooltipProvider>
          <Toaster />
        </Theme>
      </body>
    </html>
  );
}
