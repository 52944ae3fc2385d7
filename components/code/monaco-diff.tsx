"use client";

import dynamic from "next/dynamic";

/** The editor, fetched only when a comparison is shown: about 600 kB on the wire. */
export const MonacoDiff = dynamic(() => import("./monaco-diff-inner"), { ssr: false, loading: () => null });
