import { api } from "@/app/(xs2a)/routes";
import { config } from "@/lib/config";
import { errorEntries, guideEntries, referenceEntries, search } from "@/lib/docs-search";
import { guideFiles, isGuideName, readGuide } from "@/lib/guides";
import { DocsPage } from "../../docs-page";

export const dynamic = "force-dynamic";

const EXCERPT_CHARACTERS = 200;

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[]>>> };

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.slice(0, 100) : "";
  const guides = Object.keys(guideFiles).filter(isGuideName);
  const entries = [
    ...errorEntries(),
    ...referenceEntries(api().document),
    ...guides.flatMap((name) => guideEntries(name, readGuide(name, config()))),
  ];
  const found = search(entries, query);
  return (
    <DocsPage title={query === "" ? "Search" : `Search: ${query}`} query={query}>
      {found.length === 0 && query !== "" && <p>Nothing holds all of these words.</p>}
      <ol>
        {found.map(({ href, title, text }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span className="detail">{text.trim().slice(0, EXCERPT_CHARACTERS)}</span>
          </li>
        ))}
      </ol>
    </DocsPage>
  );
}
