import { api } from "@/app/(xs2a)/routes";
import { errorEntries, guideEntries, referenceEntries, search } from "@/lib/docs-search";
import { guideFiles, isGuideName, readGuide } from "@/lib/guides";
import { services } from "@/lib/services";
import { DocsPage } from "../../docs-page";

const EXCERPT_CHARACTERS = 200;
const BEFORE_CHARACTERS = 60;

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[]>>> };

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.slice(0, 100) : "";
  const bank = services();
  const guides = Object.keys(guideFiles).filter(isGuideName);
  const entries = [
    ...errorEntries(),
    ...referenceEntries(api().document),
    ...guides.flatMap((name) => guideEntries(name, readGuide(name, bank))),
  ];
  const found = search(entries, query);
  return (
    <DocsPage title={query === "" ? "Search" : `Search: ${query}`} query={query}>
      {found.length === 0 && query !== "" && <p>Nothing holds all of these words.</p>}
      <ol>
        {found.map(({ href, title, text }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span className="detail">{excerpt(text.trim(), query)}</span>
          </li>
        ))}
      </ol>
    </DocsPage>
  );
}

/** From a word before the first one that was searched for; from the beginning where that is in the title. */
function excerpt(text: string, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= BEFORE_CHARACTERS ? 0 : text.indexOf(" ", first - BEFORE_CHARACTERS) + 1;
  return `${start > 0 ? "… " : ""}${text.slice(start, start + EXCERPT_CHARACTERS)}`;
}
