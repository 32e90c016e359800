import Markdown from "markdown-to-jsx/react";
import type { ComponentProps } from "react";
import { config } from "@/lib/config";
import { type GuideName, guideFiles, guidePath, programs, readGuide } from "@/lib/guides";
import { services } from "@/lib/services";
import { DocsPage } from "./docs-page";

export function GuidePage({ name }: { readonly name: GuideName }) {
  const { title, parts } = readGuide(name, services());
  return (
    <DocsPage title={title}>
      {parts.map((part) =>
        part.kind === "text" ? (
          <Markdown key={part.markdown} options={{ overrides: { a: GuideLink }, wrapper: "div" }}>
            {part.markdown}
          </Markdown>
        ) : (
          <details key={part.code}>
            <summary>
              {part.language}: <code>{part.file}</code>
            </summary>
            <pre>
              <code>{part.code}</code>
            </pre>
          </details>
        ),
      )}
    </DocsPage>
  );
}

/** A link to another guide leads to its page, one to a program to the file; one to what is not here, a file or outside the sandbox its pages, is its text. */
function GuideLink({ href = "none", children }: ComponentProps<"a">) {
  const { SANDBOX, WEB_URL } = config();
  if (!SANDBOX && href.startsWith(`${WEB_URL}/sandbox/`)) return children;
  if (/^(https?:|#)/.test(href)) return <a href={href}>{children}</a>;
  const program = Object.entries(programs).find(([, path]) => href.endsWith(`/${path}`));
  if (program !== undefined) return <a href={`/docs/programs/${program[0]}`}>{children}</a>;
  const [, file, anchor = ""] = /([\w.-]+\.md)(#.*)?$/.exec(href) ?? [];
  const names = Object.keys(guideFiles) as GuideName[];
  const name = names.find((one) => guideFiles[one].split("/").at(-1) === file);
  return name === undefined ? children : <a href={guidePath(name) + anchor}>{children}</a>;
}
