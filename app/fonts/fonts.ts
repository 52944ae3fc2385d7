import localFont from "next/font/local";

// Geist for what an interface in English is written in, a third of the whole; the whole is fetched only when a page shows
// another letter or sign (docs/decisions/0011). Neither holds a tau (U+03C4), which a page shows in the next font of the
// list: it stands with the small ones, so that nothing is fetched for it. next/font wants literals, so each range stands twice.

export const sansLatin = localFont({
  src: "./geist-sans-latin.woff2",
  variable: "--font-sans-latin",
  weight: "100 900",
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0020-00FF, U+03C4, U+2010-2027, U+2030-203A, U+20AC, U+2122, U+2190-2193, U+2212",
    },
  ],
});

export const monoLatin = localFont({
  src: "./geist-mono-latin.woff2",
  variable: "--font-mono-latin",
  weight: "100 900",
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0020-00FF, U+03C4, U+2010-2027, U+2030-203A, U+20AC, U+2122, U+2190-2193, U+2212",
    },
  ],
});

export const sansWhole = localFont({
  src: "../../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-sans-whole",
  weight: "100 900",
  preload: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-03C3, U+03C5-200F, U+2028-202F, U+203B-20AB, U+20AD-2121, U+2123-218F, U+2194-2211, U+2213-FFFF, U+10000-10FFFF",
    },
  ],
});

export const monoWhole = localFont({
  src: "../../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-mono-whole",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-03C3, U+03C5-200F, U+2028-202F, U+203B-20AB, U+20AD-2121, U+2123-218F, U+2194-2211, U+2213-FFFF, U+10000-10FFFF",
    },
  ],
});
