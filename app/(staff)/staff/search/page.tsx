import { Actions, Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { Links, Part } from "@/components/text";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { searchView } from "@/lib/staff/cases";
import { loadStaffPage, type StaffFrame } from "@/lib/staff/page-loaders";
import { customerPath, SEARCH, tppPath } from "@/lib/staff/paths";
import type { PageProps, Query } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

export default async function SearchPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const loading = loadStaffPage({
    action: "search",
    path: SEARCH,
    load: (visit) => searchView(visit, asked["s"]),
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
            input={{ name: "text", autoComplete: "off", defaultValue: result?.text, maxLength: 70 }}
          />
          <Actions>
            <Button>{words.submit}</Button>
          </Actions>
        </PostForm>
        {result !== undefined && <Results frame={frame} result={result} asked={asked} />}
      </StaffPage>
    );
  });
}

type ResultsProps = {
  readonly frame: StaffFrame;
  readonly result: NonNullable<Awaited<ReturnType<typeof searchView>>["result"]>;
  readonly asked: Query;
};

function Results({ frame, result, asked }: ResultsProps) {
  const { texts } = frame;
  const { search: words } = texts.cases;
  const { tpps, customer } = result.found;
  const { cases, refused } = result;
  const keep = { s: result.sealed };
  const nothing =
    cases.rows.length + tpps.length + refused.rows.length === 0 && customer === undefined;
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
      {cases.rows.length > 0 && (
        <Part id="cases" heading={words.cases}>
          <DataTable {...{ frame, asked, keep }} labelledBy="cases" table={cases} />
        </Part>
      )}
      {refused.rows.length > 0 && (
        <Part id="refused" heading={words.refused}>
          <DataTable {...{ frame, asked, keep }} labelledBy="refused" table={refused} />
        </Part>
      )}
    </>
  );
}
