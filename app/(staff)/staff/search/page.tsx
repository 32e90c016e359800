import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { Links, Part } from "@/components/text";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { searchView } from "@/lib/staff/cases";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { customerPath, SEARCH, tppPath } from "@/lib/staff/paths";
import { tableQuery } from "@/lib/staff/table";
import { caseColumns, refusedColumns } from "../../case-tables";
import { StaffPage, staffPage } from "../../staff-page";

export const dynamic = "force-dynamic";

type Query = Readonly<Record<string, string | string[] | undefined>>;
type Props = { readonly searchParams: Promise<Query> };

export default async function SearchPage({ searchParams }: Props) {
  const query = await searchParams;
  const loading = loadStaffPage({
    action: "search",
    path: SEARCH,
    load: (visit) => searchView(visit, query["s"]),
  });
  return staffPage(loading, (frame, { token, result }) => {
    const words = frame.texts.cases.search;
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <PostForm action={`${SEARCH}/find`} token={token}>
          <TextField
            id="text"
            label={words.label}
            hint={words.hint}
            fault={undefined}
            input={{ name: "text", autoComplete: "off", defaultValue: result?.text, maxLength: 70 }}
          />
          <Actions>
            <Button>{words.submit}</Button>
          </Actions>
        </PostForm>
        {result !== undefined && <Results frame={frame} result={result} query={query} />}
      </StaffPage>
    );
  });
}

type ResultsProps = {
  readonly frame: StaffFrame;
  readonly result: NonNullable<Awaited<ReturnType<typeof searchView>>["result"]>;
  readonly query: Query;
};

function Results({ frame: { texts, visit }, result, query }: ResultsProps) {
  const { search: words } = texts.cases;
  const { cases, tpps, refused, customer } = result.found;
  const wording = { texts, timeZone: visit.services.profile.timeZone };
  const table = {
    ...{ texts: texts.table, path: SEARCH, keep: { s: result.sealed } },
    query: tableQuery(query),
  };
  const nothing = cases.length + tpps.length + refused.length === 0 && customer === undefined;
  return (
    <>
      {nothing && (
        <p role="status" className="mt-5">
          {words.nothing}
        </p>
      )}
      {customer !== undefined && (
        <Part id="customer" heading={words.customer}>
          <Links>
            <a href={customerPath(customer)}>{customer}</a>
          </Links>
        </Part>
      )}
      {tpps.length > 0 && (
        <Part id="tpps" heading={words.tpps}>
          <ul>
            {tpps.map(({ id, name }) => (
              <li key={id}>
                <a href={tppPath(id)}>
                  <bdi>{nameOnPage(name, texts.lang)}</bdi> ({id})
                </a>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {cases.length > 0 && (
        <Part id="cases" heading={words.cases}>
          <DataTable
            {...table}
            labelledBy="cases"
            columns={caseColumns(wording)}
            rows={cases}
            keyOf={({ id }) => id}
          />
        </Part>
      )}
      {refused.length > 0 && (
        <Part id="refused" heading={words.refused}>
          <DataTable
            {...table}
            labelledBy="refused"
            columns={refusedColumns(wording)}
            rows={refused}
            keyOf={({ at, code }) => `${at.getTime()} ${code}`}
          />
        </Part>
      )}
    </>
  );
}
