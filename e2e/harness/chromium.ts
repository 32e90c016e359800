import { existsSync } from "node:fs";

/** The same browser with and without windows; where nobody looks, without is quicker. */
const DEBIAN = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** A Chromium of this machine where there is one; undefined leaves the choice to Playwright. */
export function chromiumPath(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return named;
  return DEBIAN.find((path) => existsSync(path));
}

/** Pages are small, many and short: what a browser keeps ready for long ones costs more than they do. */
const LIGHT = [
  "--process-per-site",
  "--renderer-process-limit=1",
  "--in-process-gpu",
  "--disable-features=SpareRendererForSitePerProcess",
];

/** No calls of the browser's own, and no sandbox of its own where root could not have one. */
export function chromiumArguments(): string[] {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return [
    ...asRoot,
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    ...LIGHT,
  ];
}
