import type { Quarter } from "@/lib/domain/interface-figures";
import { type Figure, knownElsewhere, type Section, sections } from "./figures";
import { type BenchReport, benchTable } from "./stress-test";

export type MeasuredFigure = Figure & {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

type Pack = {
  readonly bank: string;
  readonly quarter: Quarter;
  readonly madeAt: Date;
  readonly figures: readonly MeasuredFigure[];
  readonly bench: BenchReport | undefined;
};

/** One document without script or other files, to be read and printed. The queries are at its end. */
export function packPage(pack: Pack): string {
  const { bank, quarter, madeAt, figures } = pack;
  const title = `${bank}: interface for TPPs, ${quarter.name}`;
  const parts = (Object.keys(sections) as Section[]).map((section) => partOf(section, pack));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
  .wide { overflow-x: auto } table { border-collapse: collapse; font-size: 0.875rem; margin: 0.5rem 0 }
  th, td { border: 1px solid #767676; padding: 0.2rem 0.5rem; text-align: left } pre { white-space: pre-wrap; font-size: 0.75rem }
  a { color: #0b4f8a } section { break-before: page } tr, .draft { break-inside: avoid } thead { display: table-header-group }
</style></head><body><main>
<h1>${escaped(title)}</h1>
<p>${quarter.from} to ${quarter.to}, local days of the bank. Made at ${madeAt.toISOString()} by <code>npm run bank -- supervisor-pack ${quarter.name}</code>, of the database at one instant.
Of each figure the query that gives it is <a href="#queries">at the end</a>, and in a file beside its CSV.</p>
${parts.join("\n")}
<section><h2 id="queries">The queries</h2>
${figures.map(({ name, heading, query }) => `<h3 id="query-${name}">${escaped(heading)}</h3><pre tabindex="0">${escaped(query)}</pre>`).join("\n")}
</section></main></body></html>
`;
}

function partOf(section: Section, { figures, bench }: Pack): string {
  const own = figures.filter((figure) => figure.section === section).map(figureText);
  const elsewhere = knownElsewhere[section]?.map((text) => `<li>${escaped(text)}</li>`);
  return `<section><h2>${escaped(sections[section])}</h2>
${section === "stress" ? stressText(bench) : own.join("\n")}
${section === "incidents" ? drafts(figures) : ""}
${elsewhere === undefined ? "" : `<h3>Not known here</h3><ul>${elsewhere.join("")}</ul>`}</section>`;
}

function figureText({ name, heading, explanation, none, columns, rows }: MeasuredFigure): string {
  return `<h3>${escaped(heading)}</h3>
<p>${escaped(explanation)} (<a href="${name}.csv">CSV</a>, <a href="#query-${name}">query</a>)</p>
${rows.length === 0 ? `<p><strong>${escaped(none)}</strong></p>` : table(heading, columns, rows)}`;
}

function table(label: string, columns: readonly string[], rows: MeasuredFigure["rows"]): string {
  const head = columns.map(
    (column) => `<th scope="col">${escaped(column.replaceAll("_", " "))}</th>`,
  );
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`,
  );
  return `<div class="wide" role="region" tabindex="0" aria-label="${escaped(label)}"><table><thead><tr>${head.join("")}</tr></thead><tbody>
${body.join("\n")}
</tbody></table></div>`;
}

function stressText(bench: BenchReport | undefined): string {
  if (bench === undefined)
    return "<p><strong>No stress test was given, so nothing is claimed of it: npm run bench -- --json FILE makes one, and --bench FILE puts it here.</strong></p>";
  const { columns, rows } = benchTable(bench);
  return `<p>Requests a second: ${bench.connections} connections, each with its next request as soon as it has its answer. Milliseconds: at ${bench.perSecond} requests a second, whether or not those before are answered.
The limit is a bare server with the same cryptography and the same statements. <code>${escaped(bench.command)}</code>, ${escaped(bench.machine)}, ${bench.at}. (<a href="stress-test.csv">CSV</a>)</p>
${table("Stress test", columns, rows)}
<p>The guideline also asks for many sessions at once and for large volumes of data: <code>npm run faults -- open-authorisations idle-connections slow-clients</code> tries the first, and the request with 100 entries is of the second.</p>`;
}

/** What is known of each is filled in; the rest is named, so that nobody takes silence for an answer. */
function drafts(figures: readonly MeasuredFigure[]): string {
  const found = figures.find(({ name }) => name === "incidents");
  return (found?.rows ?? [])
    .map((row, nth) => {
      const known = row.map((cell, column) => {
        const name = found?.columns[column] ?? "figure";
        return `<dt>${escaped(name.replaceAll("_", " "))}</dt><dd>${escaped(cell)}</dd>`;
      });
      const open = blanks.map((blank) => `<dt>${blank}</dt><dd>to be filled in by the bank</dd>`);
      return `<div class="draft"><h3>Draft ${nth + 1}</h3><dl>${known.join("")}${open.join("")}</dl></div>`;
    })
    .join("\n");
}

const blanks = [
  "cause",
  "customers and TPPs affected",
  "economic impact",
  "geographical spread",
  "data lost or disclosed",
  "what was done, and what prevents it from happening again",
  "whether it is a major incident",
];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (one) => entities[one] ?? one);
}
