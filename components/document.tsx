import type { ReactNode } from "react";
import "./look/look.css";

type Props = {
  readonly lang: string;
  readonly children: ReactNode;
};

/** The root of every page. */
export function Document({ lang, children }: Props) {
  return (
    <html lang={lang}>
      {/* biome-ignore lint/style/noHeadElement: next/head does not exist in the App Router */}
      <head>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <script type="module" src="/built/psu.js" />
      </head>
      <body>{children}</body>
    </html>
  );
}
