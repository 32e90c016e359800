import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import type { CallFrame } from "./take-profile";

type Position = Pick<CallFrame, "lineNumber" | "columnNumber">;
/** Where in the sources a place of a bundle is from; undefined where nothing says so. */
type Bundle = (position: Position) => string | undefined;

/** Where a function stands in its source, from the package or the room of ours on. */
export function placing(): (frame: CallFrame) => string {
  const bundles = new Map<string, Bundle>();
  return ({ url, ...position }) => {
    if (!url.startsWith("file:") && !url.startsWith("/")) return url;
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    const own = `${file}:${position.lineNumber + 1}`;
    if (!file.includes("/.next/")) return plain(own);
    const bundle = bundles.get(file) ?? bundleOf(file);
    bundles.set(file, bundle);
    return plain(bundle(position) ?? own);
  };
}

function bundleOf(file: string): Bundle {
  try {
    return mapped(
      new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload),
    );
  } catch {
    return headed(readFileSync(file, "utf8").split("\n"));
  }
}

function mapped(map: SourceMap): Bundle {
  return ({ lineNumber, columnNumber }) => {
    const entry = map.findEntry(lineNumber, columnNumber);
    return "originalSource" in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}`
      : undefined;
  };
}

const HEADING = /^\/\/ (\S+\.[cm]?[jt]sx?)$/;

/** Without a map: the bundler has written each file's name over what is from it. */
function headed(lines: readonly string[]): Bundle {
  return ({ lineNumber }) => {
    const before = lines.slice(0, lineNumber + 1);
    const heading = before.findLast((line) => HEADING.test(line));
    return heading?.replace(HEADING, "$1");
  };
}

function plain(place: string): string {
  const [, inPackage] = /.*\bnode_modules\/(.*)$/.exec(place) ?? [];
  const [, ours] = /(?:^|\/)((?:lib|app|drizzle|components)\/.*)$/.exec(place) ?? [];
  return inPackage ?? ours ?? place;
}
